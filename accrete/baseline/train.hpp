#pragma once
// Trains one plain network on encoded rows: initial weights, a solver, epochs of shuffled mini-batches.
//
// Follows scikit-learn's MLPClassifier and MLPRegressor, which makes results comparable: weights and biases are
// initialised uniformly in +-sqrt(g / (inputs + outputs)) of their layer, with g = 2 for logistic units and 6 for
// others; the last mini-batch of an epoch may be shorter; the loss of an epoch is the mean over its rows while the
// weights change.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "accrete/backend/rows.hpp"
#include "accrete/baseline/config.hpp"
#include "accrete/network/plain.hpp"
#include "accrete/solver/problem.hpp"

namespace accrete::baseline {

struct PlainTrainTask {
  const ResolvedConfig& config;
  backend::TrainingProblem problem;  ///< features without bins
  std::vector<std::size_t> hidden;   ///< units of each hidden layer
  std::uint64_t step = 0;            ///< index of the network; each has its own random draws
};

/// Called after each iteration or epoch with the number done and the objective; false stops the training.
using IterationObserver = std::function<bool(std::size_t, double)>;

struct TrainedNetwork {
  network::PlainNetwork network;
  std::vector<double> losses;                       ///< the objective after each iteration (lbfgs), or over each epoch
  solver::Reason reason = solver::Reason::running;  ///< running: stopped by the observer
};

TrainedNetwork train(const PlainTrainTask& task, const IterationObserver& observe = {});

}  // namespace accrete::baseline
