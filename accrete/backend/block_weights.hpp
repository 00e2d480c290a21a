#pragma once
// Float copies of a block's parameters, in the layouts that the kernels read.

#include <cstddef>
#include <span>

#include "accrete/backend/kernels/evaluate_kernel.hpp"
#include "accrete/backend/rows.hpp"
#include "accrete/core/aligned.hpp"

namespace accrete::backend {

class BlockWeights {
 public:
  BlockWeights() = default;
  BlockWeights(const BlockWeights&) = delete;  // kernel pointers point into values_
  BlockWeights& operator=(const BlockWeights&) = delete;

  /// dense_features: number of shape.features without a lookup table.
  void allocate(const BlockShape& shape, std::size_t dense_features, std::size_t tile_rows);

  /// Points a kernel block at the arrays; valid until the next allocate.
  void assign_to(KernelBlock& block) const;

  /// parameters: in BlockShape order, at least the hidden layer. dense: indices of the dense features.
  void set_hidden(std::span<const double> parameters, std::span<const std::size_t> dense);
  /// output_layer: output weights (units x outputs), then output bias.
  void set_output(std::span<const double> output_layer);

 private:
  BlockShape shape_;
  core::AlignedVector<float> values_;
  float* hidden_weights_ = nullptr;
  float* packed_weights_ = nullptr;  ///< null: unused on this architecture, or for a single unit
  float* hidden_bias_ = nullptr;
  float* output_weights_ = nullptr;
  float* output_weights_transposed_ = nullptr;
  float* output_bias_ = nullptr;
  float* ones_ = nullptr;
};

}  // namespace accrete::backend
