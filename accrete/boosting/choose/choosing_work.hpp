#pragma once
// Estimates the time left for choosing and for the final fit from the measured step times of each candidate. The length
// of the network is not known yet, so expect an error of up to a factor of two.

#include <cstddef>
#include <span>

#include "accrete/boosting/choose/grow_candidates.hpp"
#include "accrete/boosting/choose/search_plan.hpp"

namespace accrete::boosting {

/// Progress of successive halving.
struct WorkState {
  const SearchPlan& plan;
  std::span<Candidate* const> left;  ///< candidates that still grow, best first
  std::size_t candidates;            ///< all that were tried
  std::size_t folds, outputs;
  std::size_t max_steps;  ///< of a candidate
  std::size_t rung;       ///< steps that the candidates grow to in the current rung
  bool chooses_length;
  std::size_t extension;  ///< factor by which the final fit exceeds the steps of a candidate that ran out of units
  std::size_t refinements = 0;  ///< of the best candidate, still to come
  std::size_t rows, threads;    ///< of the fit of all rows
};

/// True if the last third of the curve fell by more than loss_slack.
bool is_falling(std::span<const double> losses);

/// Seconds until the final fit ends; NaN before the first step.
double seconds_left(const WorkState& state);

}  // namespace accrete::boosting
