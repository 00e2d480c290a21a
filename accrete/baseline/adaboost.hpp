#pragma once
// AdaBoost of small plain networks by weighted resampling: each is trained on as many rows as there are, drawn with
// replacement in proportion to weights that rise where those before it were wrong.
//
//   classes      SAMME (Zhu and others, 2009): a network of weighted error e has the vote ln((1-e)/e) + ln(K-1), and
//   the
//                rows it got wrong are weighed up by the exponential of it
//   regression   R2 (Drucker, 1997), linear loss: e is the weighted mean of |error| over the largest; the vote is
//                ln((1-e)/e), rows are weighed by (e/(1-e))^(1 - |error| / largest); the weighted median predicts
//
// It ends early, as scikit-learn's does, with a network that has no error, or before one that is no better than chance.

#include <cstddef>
#include <functional>
#include <vector>

#include "accrete/backend/rows.hpp"
#include "accrete/baseline/config.hpp"
#include "accrete/model/model.hpp"

namespace accrete::baseline {

enum class Ending {
  finished,   ///< all networks are there
  perfect,    ///< the last one has no error
  no_better,  ///< the next one was no better than chance, and was left out unless it was the first
  observer,   ///< the observer said so
};

struct Boosted {
  std::vector<model::Member> members;  ///< one at least
  std::vector<double> errors;          ///< of each, weighted
  Ending ending = Ending::finished;
};

/// Called after each network with how many there are and its weighted error; false ends it.
using MemberObserver = std::function<bool(std::size_t, double)>;

/// The source's targets must be one column.
Boosted boost(const Config& config, const backend::Source& source, const MemberObserver& observe = {});

}  // namespace accrete::baseline
