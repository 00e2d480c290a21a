#pragma once
// The boosting loop: from an encoded dataset to a network. It has no file, table or device code.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "accrete/backend/fit_device.hpp"
#include "accrete/boosting/step.hpp"
#include "accrete/comm/communicator.hpp"
#include "accrete/config/config.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/dataset.hpp"
#include "accrete/loss/custom.hpp"
#include "accrete/network/network.hpp"

namespace accrete::boosting {

/// Losses after 0, 1, 2, ... steps, in training units. validation is empty without a validation set, metric is empty
/// unless TrainTask has one.
struct Curves {
  std::vector<double> train = {}, validation = {}, metric = {};
};

/// Rates scores (rows x outputs) of the validation set; smaller is better.
using ValidationMetric = std::function<double(core::MatrixView<const double>)>;

/// What an observer receives after each step.
struct StepReport {
  std::size_t step;   ///< steps done
  std::size_t steps;  ///< steps planned
  const network::Network& network;
  const Curves& curves;
};

/// Called after each step; false stops the training.
using StepObserver = std::function<bool(const StepReport&)>;

/// Why training ended.
enum class Stop {
  finished,  ///< the network has all its units
  observer,  ///< the observer returned false
  time,      ///< the time limit has passed
  patience,  ///< the validation loss no longer improves
};

struct TrainTask {
  const config::ResolvedConfig& config;
  const data::Dataset& data;
  std::size_t outputs;
  const data::Dataset* validation = nullptr;
  std::string backend = "cpu";
  core::Workers& workers;
  InitialWeights initial = {};                               ///< empty: uniform_weights
  backend::FitDevice* device = nullptr;                      ///< runs or evaluates the steps
  std::shared_ptr<const loss::CustomLoss> custom_loss = {};  ///< for config.loss custom
  ValidationMetric metric = {};                              ///< early stopping uses it instead of the validation loss
  std::function<bool()> is_out_of_time = {};                 ///< polled within a step on the CPU; true ends its solver
  const FeatureConstraints* constraints = nullptr;           ///< on the dataset's features; not for a device
  comm::Communicator& comm = comm::one_process();            ///< the ranks that share the rows
};

struct TrainResult {
  network::Network network;  ///< all steps, including those after the best one
  Curves curves;
  Stop stop = Stop::finished;
  std::size_t best_step = 0;  ///< smallest validation loss or metric; all steps without a validation set
};

/// True if the task's device runs complete steps; otherwise a device evaluates the steps of the CPU's loop.
bool runs_steps_on_device(const TrainTask& task);

/// Puts a dataset of the task on the task's backend, or on its device if that evaluates steps.
std::unique_ptr<backend::TrainingRows> make_training_rows(const TrainTask& task, const data::Dataset& data,
                                                          activation::Activation activation);

/// A network without units that predicts the start score.
network::Network start_network(const TrainTask& task);

/// Grows the network to config.units. Its existing steps are replayed; `curves` are those of these steps on the task's
/// rows; one that is empty is measured.
/// Throws Diverged if a loss is no longer finite.
TrainResult train(const TrainTask& task, network::Network network, Curves curves, const StepObserver& observe);

}  // namespace accrete::boosting
