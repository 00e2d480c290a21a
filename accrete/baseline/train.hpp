#pragma once
// One plain network from encoded rows: initial weights, a solver, epochs of shuffled mini-batches. Nothing of tables,
// files or voting.
//
// Everything is as in scikit-learn's MLPClassifier and MLPRegressor, so that figures compare: weights and biases start
// uniform in +-sqrt(g / (inputs + outputs)) of their layer, g = 2 for logistic units and 6 for others; the last
// mini-batch of an epoch is a shorter one; an epoch's loss is the mean over its rows as the weights move on.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "accrete/backend/rows.hpp"
#include "accrete/baseline/config.hpp"
#include "accrete/network/plain.hpp"
#include "accrete/solver/problem.hpp"

namespace accrete::baseline {

struct TrainTask {
  const Config& config;
  backend::Source source;           ///< rows (their features columns as they are, no bins), outputs, loss, threads
  std::vector<std::size_t> hidden;  ///< units of each hidden layer
  std::uint64_t step = 0;           ///< which network of several: each has draws of its own
};

/// Called after each iteration or epoch with how many are done and the objective; false ends the training.
using IterationObserver = std::function<bool(std::size_t, double)>;

struct Trained {
  network::PlainNetwork network;
  std::vector<double> losses;                       ///< the objective after each iteration (lbfgs), or over each epoch
  solver::Reason reason = solver::Reason::running;  ///< still running: the observer ended it
};

Trained train(const TrainTask& task, const IterationObserver& observe = {});

}  // namespace accrete::baseline
