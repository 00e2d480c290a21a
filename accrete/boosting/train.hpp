#pragma once
// The boosting loop: from an encoded dataset to a network. It knows no files, tables or devices.

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

/// Losses after 0, 1, 2, ... steps, in training units. validation is empty without a validation set, metric unless
/// TrainTask has one.
struct Curves {
  std::vector<double> train = {}, validation = {}, metric = {};
};

/// Judges the validation set by its scores (rows x outputs): smaller is better.
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
  finished,  ///< all units are grown
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
  backend::FitDevice* device = nullptr;                      ///< takes the steps instead of the backend
  std::shared_ptr<const loss::CustomLoss> custom_loss = {};  ///< for config.loss custom
  ValidationMetric metric = {};                     ///< decides on early stopping instead of the validation loss
  std::function<bool()> is_out_of_time = {};        ///< asked within a step on the CPU; true ends its descent
  const FeatureConstraints* constraints = nullptr;  ///< of the dataset's features; not for a device
  comm::Communicator& comm = comm::one_process();   ///< the ranks that share the rows
};

struct TrainResult {
  network::Network network;  ///< with all steps, also those after the best
  Curves curves;
  Stop stop = Stop::finished;
  std::size_t best_step = 0;  ///< steps with the smallest validation loss or metric; all without a validation set
};

/// The rows of a dataset of the task, on its backend.
std::unique_ptr<backend::TrainingRows> make_training_rows(const TrainTask& task, const data::Dataset& data,
                                                          activation::Activation activation);

/// A network without units: the start score of the loss.
network::Network start_network(const TrainTask& task);

/// Grows the network until it has config.units. Steps it already has are replayed; `curves` are theirs, or empty.
/// Throws Diverged if a loss is no longer finite.
TrainResult train(const TrainTask& task, network::Network network, Curves curves, const StepObserver& observe);

}  // namespace accrete::boosting
