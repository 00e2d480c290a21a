#pragma once
// Estimates how much work choosing and the fit after it still are. The length of a network is not known before it is
// chosen, so these are guesses within a factor of two or so.

#include <cstddef>
#include <span>

#include "accrete/boosting/grow_candidates.hpp"
#include "accrete/boosting/search_plan.hpp"

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
  std::size_t rows, threads;  ///< of the fit of all rows
};

/// The work of a step on the other rows of a fold; only ratios matter.
double work_of_step(const EncodedSplit& fold, std::size_t outputs);

/// The work from the end of the current rung to the end of the fit of all rows.
double work_after_rung(const WorkState& state);

}  // namespace accrete::boosting
