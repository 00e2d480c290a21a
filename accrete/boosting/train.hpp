#pragma once
// The loop. From an encoded dataset to an assembled network, and nothing else: no files, no printing, no devices.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "accrete/backend/many_fits.hpp"
#include "accrete/boosting/config.hpp"
#include "accrete/boosting/step.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/dataset.hpp"
#include "accrete/network/network.hpp"

namespace accrete::boosting {

/// Losses after 0, 1, 2, ... steps, in training units. validation is empty without a validation part.
struct Curves {
  std::vector<double> train, validation;
};

/// What an observer sees after each step.
struct StepReport {
  std::size_t step;   ///< steps done
  std::size_t steps;  ///< steps wanted
  const network::Network& network;
  const Curves& curves;
};

/// Called after each step; false stops the training with what is there.
using StepObserver = std::function<bool(const StepReport&)>;

enum class Stop {
  finished,  ///< all units are grown
  observer,  ///< the observer said so
  time,      ///< the time limit is over
  patience,  ///< the validation loss has not improved for long enough
};

struct TrainTask {
  const Config& config;  ///< resolved
  const data::Dataset& data;
  std::size_t outputs;
  const data::Dataset* validation = nullptr;
  std::string backend = "cpu";
  core::Workers& workers;
  InitialWeights initial = {};           ///< empty: uniform_weights
  backend::ManyFits* machine = nullptr;  ///< takes the steps, in place of the backend
};

struct TrainResult {
  network::Network network;  ///< every step grown, also those after the best
  Curves curves;
  Stop stop = Stop::finished;
  std::size_t best_step = 0;  ///< steps with the least validation loss; all without a validation part
};

/// A network without units: the start value of the loss.
network::Network start_network(const TrainTask& task);

/// Goes on from the given network (its steps are replayed) until config.units are there. `curves` are those of the
/// steps already there, or empty for a fresh start.
TrainResult train(const TrainTask& task, network::Network network, Curves curves, const StepObserver& observe);

}  // namespace accrete::boosting
