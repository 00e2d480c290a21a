#pragma once
// How long the chosen network is: given, by the preset, or by the candidate's held-out curve.

#include <cstddef>

#include "accrete/boosting/choose/grow_candidates.hpp"
#include "accrete/core/message.hpp"

namespace accrete::boosting {

/// If the held-out loss still fell when the units ran out, and several folds were held out, the final network has this
/// many times as many units: growing one network on all rows is cheap compared with growing those of the folds.
inline constexpr std::size_t final_growth_factor = 2;

struct NetworkLength {
  bool is_given;                ///< by the caller
  bool is_chosen;               ///< the held-out curve decides; otherwise the preset does, unless it is given
  bool is_weak = false;         ///< no candidate learns much
  std::size_t folds, patience;  ///< patience in steps
  std::size_t max_units;        ///< of a candidate

  /// True if the candidate may still find a better length.
  bool is_improving(const Candidate& candidate) const;
  /// True if the held-out curve decides the length. It overrides the preset's length for a weak network that ends worse
  /// than the constant.
  bool is_from_curve(const Candidate& winner) const;
  /// The longest prefix whose loss is within loss_slack of the smallest, in steps; more if the units ran out.
  std::size_t steps_from_curve(const Candidate& winner) const;
  /// Why the network has its length; empty if it is given.
  core::Message reason(const Candidate& winner) const;

 private:
  bool can_grow(const Candidate& candidate) const;
  bool ran_out_of_units(const Candidate& candidate) const;
};

}  // namespace accrete::boosting
