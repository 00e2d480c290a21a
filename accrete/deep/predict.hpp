#pragma once
// What a network says of examples.

#include <functional>
#include <optional>

#include "accrete/core/matrix.hpp"
#include "accrete/deep/examples.hpp"
#include "accrete/deep/network_file.hpp"

namespace accrete::deep {

struct Prediction {
  std::optional<std::int64_t> units = {};  ///< of a grown head; nothing: all
  std::int64_t batch = 256;
  torch::Device device = torch::kCPU;
  std::function<bool(std::int64_t, std::int64_t)> see = {};  ///< finished examples, all examples; false stops
};

/// True if forward takes a number of units besides the inputs.
bool takes_units(const Network& network);

/// The units used for a requested number: rounded down to whole steps.
std::int64_t units_at_work(const Network& network, std::int64_t wanted);

/// Examples x classes of probabilities, or x 1 of values in the target's units. A module that was not written by
/// accrete is given what prepare_module makes of the inputs, and gives logits (or probabilities), or values. Throws
/// UsageError for units that the network does not have and for a forward that takes more than a tensor, DataError when
/// its outputs are not as many as `purpose` has classes, or not finite; returns nothing when it was stopped.
std::optional<core::Matrix<double>> predict(const Network& network, const Purpose& purpose, const Examples& examples,
                                            const Prediction& how);

}  // namespace accrete::deep
