#pragma once
// A copy of a network's weights with units interleaved in groups of 16, so that one feature of a row is multiplied with
// a whole vector of units. Group g holds 16 hidden biases, then 16 weights per feature, then 16 weights per output.

#include <cstddef>
#include <span>

#include "accrete/core/aligned.hpp"

namespace accrete::network {

class InterleavedWeights {
 public:
  static constexpr std::size_t width = 16;  ///< units in a group

  InterleavedWeights() = default;
  InterleavedWeights(std::size_t features, std::size_t outputs) : features_(features), outputs_(outputs) {}

  /// Appends units. hidden_weights: units x features; output_weights: units x outputs.
  void append(std::span<const float> hidden_weights, std::span<const float> hidden_bias,
              std::span<const float> output_weights);

  /// Keeps the first `units` units. Padding in the last group holds arbitrary finite values; readers must ignore it.
  void truncate(std::size_t units);

  std::size_t features() const { return features_; }
  std::size_t outputs() const { return outputs_; }
  /// Floats in a group.
  std::size_t group_size() const { return (1 + features_ + outputs_) * width; }
  std::size_t groups() const { return values_.size() / group_size(); }
  const float* group(std::size_t g) const { return values_.data() + g * group_size(); }

 private:
  core::AlignedVector<float> values_;
  std::size_t features_ = 0, outputs_ = 0, units_ = 0;
};

}  // namespace accrete::network
