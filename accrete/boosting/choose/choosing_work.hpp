#pragma once
// Estimates how long choosing and the fit after it still take, from the time that the steps of each candidate took so
// far. The length of a network is not known before it is chosen, so these are guesses within a factor of two or so.

#include <cstddef>
#include <span>

#include "accrete/boosting/choose/grow_candidates.hpp"
#include "accrete/boosting/choose/search_plan.hpp"

namespace accrete::boosting {

/// Where successive halving stands.
struct WorkState {
  const SearchPlan& plan;
  std::span<Candidate* const> left;  ///< candidates that still grow, best first
  std::size_t candidates;            ///< all that were tried
  std::size_t folds, outputs;
  std::size_t max_steps;  ///< of a candidate
  std::size_t rung;       ///< steps that the candidates grow to now
  bool chooses_length;
  std::size_t extension;      ///< the fit has this many times the steps of a candidate that ran out of units
  std::size_t rows, threads;  ///< of the fit of all rows
};

/// True if the last third of the curve fell by more than loss_slack.
bool is_falling(std::span<const double> losses);

/// Seconds from now to the end of the fit of all rows; NaN before the first step.
double seconds_left(const WorkState& state);

}  // namespace accrete::boosting
