#include "accrete/backend/block_weights.hpp"

#include <algorithm>
#include <utility>

#include "accrete/backend/resident_rows.hpp"
#include "accrete/network/packed_weights.hpp"

namespace accrete::backend {
namespace {

void copy_to_float(std::span<const double> from, float* to) {
  std::transform(from.begin(), from.end(), to, [](double x) { return static_cast<float>(x); });
}

}  // namespace

void BlockWeights::allocate(const BlockShape& shape, std::size_t dense_features, std::size_t tile_rows) {
  shape_ = shape;
  const std::size_t f = dense_features, j = shape.units, k = shape.outputs;
  const std::size_t packed = network::has_packed_kernels && j > 1 ? j * f + 2 : 0;
  values_.assign(
      pad_to_line(j * f) + pad_to_line(packed) + pad_to_line(j) + 2 * pad_to_line(j * k) + pad_to_line(k) + tile_rows,
      0.0f);
  float* next = values_.data();
  const auto take = [&](std::size_t n) { return std::exchange(next, next + pad_to_line(n)); };
  hidden_weights_ = take(j * f);
  packed_weights_ = packed > 0 ? take(packed) : nullptr;
  hidden_bias_ = take(j);
  output_weights_ = take(j * k);
  output_weights_transposed_ = take(j * k);
  output_bias_ = take(k);
  ones_ = take(tile_rows);
  std::fill_n(ones_, tile_rows, 1.0f);
}

void BlockWeights::assign_to(KernelBlock& block) const {
  block.hidden_weights = hidden_weights_;
  block.packed_weights = packed_weights_;
  block.hidden_bias = hidden_bias_;
  block.output_weights = output_weights_;
  block.output_weights_transposed = output_weights_transposed_;
  block.output_bias = output_bias_;
  block.ones = ones_;
}

void BlockWeights::set_hidden(std::span<const double> parameters, std::span<const std::size_t> dense) {
  const std::size_t weights = shape_.hidden_bias_at();
  if (dense.size() == shape_.features) {
    copy_to_float(parameters.first(weights), hidden_weights_);
  } else {
    float* to = hidden_weights_;
    for (std::size_t j = 0; j < shape_.units; ++j)
      for (const std::size_t i : dense) *to++ = static_cast<float>(parameters[j * shape_.features + i]);
  }
  if (packed_weights_) network::pack_weights(hidden_weights_, dense.size(), shape_.units, packed_weights_);
  copy_to_float(parameters.subspan(weights, shape_.units), hidden_bias_);
}

void BlockWeights::set_output(std::span<const double> output_layer) {
  const std::size_t units = shape_.units, outputs = shape_.outputs;
  for (std::size_t j = 0; j < units; ++j)
    for (std::size_t k = 0; k < outputs; ++k)
      output_weights_[k * units + j] = output_weights_transposed_[j * outputs + k] =
          static_cast<float>(output_layer[j * outputs + k]);
  copy_to_float(output_layer.subspan(units * outputs, outputs), output_bias_);
}

}  // namespace accrete::backend
