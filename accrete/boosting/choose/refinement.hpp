#pragma once
// The local search around the best candidate of a large table. It changes one setting at a time: the share of the
// columns that a step reads, the penalty, the iterations per step.

#include <optional>
#include <span>

#include "accrete/config/config.hpp"

namespace accrete::boosting {

/// Of a value that is not negative; keeps chosen penalties readable.
double round_to_three_digits(double value);

/// A setting to try next to the best candidate.
struct Refinement {
  config::ResolvedConfig config;
  double min_gain = 0.0;  ///< it replaces the best candidate only if its cost is lower by at least this share
};

/// The next setting to try, or nothing if all neighbours of the best one were tried. Parameters in `given` keep their
/// values. tried: all settings so far, including the best.
std::optional<Refinement> next_refinement(const config::ResolvedConfig& best,
                                          std::span<const config::ResolvedConfig> tried, const config::Config& given,
                                          std::size_t columns);

}  // namespace accrete::boosting
