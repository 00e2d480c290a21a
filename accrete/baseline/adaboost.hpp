#pragma once
// AdaBoost of small plain networks by weighted resampling: each network trains on a bootstrap sample of the rows, drawn
// in proportion to weights that grow for rows that earlier networks got wrong.
//
//   classes      SAMME (Zhu et al., 2009): a network of weighted error e has the vote ln((1-e)/e) + ln(K-1); the
//                weights of rows it gets wrong are multiplied by exp(vote)
//   regression   AdaBoost.R2 (Drucker, 1997), linear loss: e is the weighted mean of |error| / max |error|; the vote is
//                ln((1-e)/e); weights are multiplied by (e/(1-e))^(1 - |error| / max |error|); the weighted median
//                predicts
//
// As in scikit-learn, it stops after a network without error, or before one that is no better than chance.

#include <cstddef>
#include <functional>
#include <vector>

#include "accrete/backend/rows.hpp"
#include "accrete/baseline/config.hpp"
#include "accrete/model/model.hpp"

namespace accrete::baseline {

/// Why boosting ended.
enum class AdaBoostStop {
  finished,   ///< all networks are trained
  no_error,   ///< the last network has no error
  no_better,  ///< the next network was no better than chance; it is dropped unless it was the first
  observer,   ///< the observer returned false
};

struct AdaBoostResult {
  std::vector<model::Member> members;  ///< at least one
  std::vector<double> errors;          ///< weighted error of each
  AdaBoostStop stop = AdaBoostStop::finished;
};

/// Called after each network with the number of networks and its weighted error; false stops.
using MemberObserver = std::function<bool(std::size_t, double)>;

/// The problem must have one target column.
AdaBoostResult train_adaboost(const ResolvedConfig& config, const backend::TrainingProblem& problem,
                              const MemberObserver& observe = {});

}  // namespace accrete::baseline
