#pragma once
// A second copy of a network's weights, laid out for one row: units side by side in groups of 16, so that one feature
// of the row meets a whole vector of units. Group g holds, one after the other, 16 hidden biases, 16 weights for each
// feature and 16 weights for each output.

#include <cstddef>
#include <span>

#include "accrete/core/aligned.hpp"

namespace accrete::network {

class UnitLanes {
 public:
  static constexpr std::size_t width = 16;

  UnitLanes() = default;
  UnitLanes(std::size_t features, std::size_t outputs) : features_(features), outputs_(outputs) {}

  /// Units given as in Network: hidden weights units x features, output weights units x outputs.
  void append(std::span<const float> hidden_weights, std::span<const float> hidden_bias,
              std::span<const float> output_weights);

  /// Keeps the first units. Places past the last unit hold anything finite; who reads a group must cut it.
  void truncate(std::size_t units);

  std::size_t features() const { return features_; }
  std::size_t outputs() const { return outputs_; }
  std::size_t group_size() const { return (1 + features_ + outputs_) * width; }
  const float* group(std::size_t g) const { return values_.data() + g * group_size(); }

 private:
  core::AlignedVector<float> values_;
  std::size_t features_ = 0, outputs_ = 0, units_ = 0;
};

}  // namespace accrete::network
