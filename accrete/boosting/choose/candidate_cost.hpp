#pragma once
// How candidates are compared: by their metric or loss on held-out rows, with handicaps for settings that the held-out
// rows judge too favourably.

#include <cstddef>
#include <span>

#include "accrete/boosting/choose/grow_candidates.hpp"

namespace accrete::boosting {

struct CandidateCost {
  bool chooses_length = false;  ///< candidates are judged by their best step, otherwise by their last
  /// Of a large table: doublings from the sample to all rows and from the compared steps to those of the network.
  double doublings = 0.0;
  bool is_weak = false;  ///< no candidate learns much

  /// The step by which a candidate is judged: its best one if the length is chosen, else its last, so that overfitting
  /// counts against it.
  std::size_t deciding_step(const Candidate& candidate) const;

  /// At the deciding step. Infinite if the candidate has no loss or diverged.
  double loss(const Candidate& candidate) const;

  /// The metric (at its best step if the length is chosen), or the loss if there is no metric or it has no value.
  double cost(const Candidate& candidate) const;

  /// The cost that ranks candidates.
  double handicapped_cost(const Candidate& candidate) const;

  /// True if no candidate's loss is much below the constant's.
  bool learns_little(std::span<Candidate* const> candidates) const;
};

/// True if the winner does not beat the constant, or only within the noise between folds.
bool is_constant_best(const Candidate& winner);

}  // namespace accrete::boosting
