#pragma once
// Predictions of a network for examples.

#include <functional>
#include <optional>

#include "accrete/core/matrix.hpp"
#include "accrete/deep/examples.hpp"
#include "accrete/deep/network_file.hpp"

namespace accrete::deep {

struct Prediction {
  std::optional<std::int64_t> units = {};  ///< of a grown head; unset: all
  std::int64_t batch = 256;
  torch::Device device = torch::kCPU;
  std::function<bool(std::int64_t, std::int64_t)> see = {};  ///< finished examples, all examples; false stops
};

/// True if forward takes a number of units in addition to the inputs.
bool takes_units(const Network& network);

/// The number of units used for a requested number: rounded down to whole steps.
std::int64_t units_at_work(const Network& network, std::int64_t wanted);

/// Examples x classes (probabilities), or x 1 (values in the target's units). A module that was not written by accrete
/// gets the output of prepare_module, and must return logits, probabilities or values. Throws UsageError for units that
/// the network does not have and for a forward that takes more than one tensor, DataError if the number of outputs does
/// not match `purpose` or an output is not finite. Returns nullopt if stopped.
std::optional<core::Matrix<double>> predict(const Network& network, const Purpose& purpose, const Examples& examples,
                                            const Prediction& how);

}  // namespace accrete::deep
