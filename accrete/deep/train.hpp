#pragma once
// Trains a backbone: epochs of shuffled batches, SGD with momentum or Adam, cross-entropy or squared error.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "accrete/deep/dataset.hpp"
#include "accrete/deep/network_file.hpp"

namespace accrete::deep {

struct TrainOptions {
  std::string solver = "adam";  ///< or sgd
  std::int64_t epochs = 20;
  std::int64_t batch_size = 128;
  double learning_rate = 0.0;  ///< 0: 0.01 for sgd, 0.001 for adam
  double momentum = 0.9;       ///< of sgd
  double weight_decay = 0.0;
  double validation_fraction = 0.0;  ///< share of the examples held out to monitor training
  bool augment = false;              ///< images: shift by up to a tenth and, with three channels, mirror
  std::uint64_t seed = 0;
  torch::Device device = torch::kCPU;
};

/// Losses of an epoch are means over examples; validation values are NaN without a validation set.
struct Epoch {
  std::int64_t epoch, epochs;
  double train_loss, train_accuracy, validation_loss, validation_accuracy, seconds;
};

/// Called after each batch (with finished and total batches) and each epoch; false stops and keeps the current weights.
struct TrainingCallbacks {
  std::function<bool(std::int64_t, std::int64_t)> after_batch = {};
  std::function<bool(const Epoch&)> after_epoch = {};
};

/// Trains in place and records curves and settings in network.record["training"]. On a CPU, the same seed and number of
/// threads give the same weights. A non-empty `checkpoint` names a file written after each epoch; `resume` continues
/// from it with the same result.
void train_network(TorchNetwork& network, const TensorDataset& dataset, const TrainOptions& options,
                   const TrainingCallbacks& callbacks, const std::string& checkpoint = {}, bool resume = false);

}  // namespace accrete::deep
