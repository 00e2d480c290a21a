#pragma once
// Training a backbone: epochs of shuffled batches, SGD with momentum or Adam, cross-entropy or squared error.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "accrete/deep/examples.hpp"
#include "accrete/deep/network_file.hpp"

namespace accrete::deep {

struct Training {
  std::string solver = "adam";  ///< or sgd
  std::int64_t epochs = 20;
  std::int64_t batch = 128;
  double learning_rate = 0.0;  ///< 0: 0.01 for sgd, 0.001 for adam
  double momentum = 0.9;       ///< of sgd
  double weight_decay = 0.0;
  double validation_fraction = 0.0;  ///< of the examples, to watch; not trained on
  bool augment = false;              ///< images: shifted by up to a tenth and, with three channels, mirrored
  std::uint64_t seed = 0;
  torch::Device device = torch::kCPU;
};

/// After an epoch. Losses are means over examples; validation values are NaN without a validation part.
struct Epoch {
  std::int64_t epoch, epochs;
  double train_loss, train_accuracy, validation_loss, validation_accuracy, seconds;
};

/// Called within epochs too (batches done and in all), so that a bar moves; false stops with what there is.
struct Watch {
  std::function<bool(std::int64_t, std::int64_t)> batches = {};
  std::function<bool(const Epoch&)> epoch = {};
};

/// Trains in place and keeps curves and settings in network.record["training"]. The same seed gives the same weights on
/// a CPU whatever the number of threads allows; `checkpoint`, when not empty, is a file written after each epoch
/// (weights, the solver's moments, the epoch) from which `resume` goes on to the same end.
void train_network(Network& network, const Examples& examples, const Training& training, const Watch& watch,
                   const std::string& checkpoint = {}, bool resume = false);

}  // namespace accrete::deep
