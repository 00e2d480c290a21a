#pragma once
// Predictions of a network for examples.

#include <functional>
#include <optional>

#include "accrete/core/matrix.hpp"
#include "accrete/deep/dataset.hpp"
#include "accrete/deep/network_file.hpp"

namespace accrete::deep {

struct PredictOptions {
  std::optional<std::int64_t> units = {};  ///< of a grown head; unset: all
  std::int64_t batch_size = 256;
  torch::Device device = torch::kCPU;
  std::function<bool(std::int64_t, std::int64_t)> observer = {};  ///< receives finished and total examples; false stops
};

/// True if forward takes a number of units in addition to the inputs.
bool takes_units(const TorchNetwork& network);

/// The requested number of units, rounded down to whole steps.
std::int64_t round_units(const TorchNetwork& network, std::int64_t requested);

/// Examples x classes (probabilities), or x 1 (values in the target's units). A module that was not written by accrete
/// gets the output of prepare_module, and must return logits, probabilities or values. Throws UsageError for units that
/// the network does not have and for a forward that takes more than one tensor, DataError if the number of outputs does
/// not match the signature or an output is not finite. Returns nullopt if stopped.
std::optional<core::Matrix<double>> predict(const TorchNetwork& network, const Signature& signature,
                                            const TensorDataset& dataset, const PredictOptions& options);

}  // namespace accrete::deep
