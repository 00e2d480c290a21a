#include "accrete/explain/dense_kernel.hpp"

#include <algorithm>

#include "accrete/core/denormals.hpp"
#include "accrete/network/packed_weights.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accrete/explain/dense_kernel.cpp"
#include "hwy/foreach_target.h"
// Everything below is compiled once per instruction set.
#include "accrete/explain/secant-inl.hpp"
#include "accrete/network/kernels/dense-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::explain::HWY_NAMESPACE {

namespace dense = network::HWY_NAMESPACE;

/// A product for a chunk: its weights, and the arrays of `inputs` and `outputs` values per row.
struct Product {
  const float *weights, *packed;
  const float* from;
  std::size_t inputs;
  float* to;
  std::size_t outputs;
};

HWY_ATTR void multiply(const DenseTile::Args& args, const Product& p) {
  for (std::size_t i = 0; i < p.inputs; ++i) args.inputs[i] = p.from + i * args.tile_rows;
  dense::dense_layer<dense::NoActivation>({.in = args.inputs,
                                           .inputs = p.inputs,
                                           .weights = p.weights,
                                           .bias = args.weights.zeros().data(),
                                           .rows = args.tile_rows,
                                           .stride = args.tile_rows,
                                           .out = p.to,
                                           .input_stride = args.tile_rows,
                                           .packed = p.packed},
                                          p.outputs);
}

/// Replaces the weighted inputs of a chunk's units, without bias, by slopes. Four vectors are interleaved, because each
/// is one long dependency chain.
template <class Formula>
HWY_ATTR void find_slopes(Formula formula, const DenseWeights::Chunk& chunk, const DenseTile::Args& args) {
  const FloatTag tag;
  const std::size_t n = hn::Lanes(tag);
  for (std::size_t u = 0; u < chunk.units; ++u) {
    const auto z0 = hn::Set(tag, args.weights.network().hidden_bias()[chunk.first + u]);
    const auto a0 = activate(formula, z0);
    float *d = args.slopes + u * args.tile_rows, *end = d + args.tile_rows;
    for (; d < end; d += 4 * n) {
      const auto s0 = secant(formula, hn::Load(tag, d), z0, a0), s1 = secant(formula, hn::Load(tag, d + n), z0, a0);
      const auto s2 = secant(formula, hn::Load(tag, d + 2 * n), z0, a0);
      const auto s3 = secant(formula, hn::Load(tag, d + 3 * n), z0, a0);
      hn::Store(s0, tag, d), hn::Store(s1, tag, d + n), hn::Store(s2, tag, d + 2 * n), hn::Store(s3, tag, d + 3 * n);
    }
  }
}

/// Adds the contributions of a chunk's units to one output.
HWY_ATTR void add_output(const DenseWeights::Chunk& chunk, const DenseTile::Args& args, std::size_t k) {
  const network::Network& network = args.weights.network();
  const std::size_t t = args.tile_rows, columns = args.weights.columns();
  for (std::size_t u = 0; u < chunk.units; ++u) {
    const float v = network.output_weights()[(chunk.first + u) * network.outputs() + k];
    const float* from = args.slopes + u * t;
    float* to = args.scaled + u * t;
    for (std::size_t r = 0; r < t; ++r) to[r] = v * from[r];
  }
  multiply(args, {.weights = chunk.backward.data(),
                  .packed = chunk.backward_packed.data(),
                  .from = args.scaled,
                  .inputs = chunk.units,
                  .to = args.sums,
                  .outputs = network.features()});
  const std::vector<std::size_t>& starts = args.weights.starts();
  for (std::size_t c = 0; c < columns; ++c) {
    double* to = args.values + (k * columns + c) * t;
    for (std::size_t f = starts[c]; f < starts[c + 1]; ++f) {
      const float *x = args.features + f * t, *sums = args.sums + f * t;
      for (std::size_t r = 0; r < t; ++r) to[r] += static_cast<double>(x[r] * sums[r]);
    }
  }
}

void add_chunk(const DenseWeights::Chunk& chunk, const DenseTile::Args& args) {
  const network::Network& network = args.weights.network();
  multiply(args, {.weights = network.hidden_weights().data() + chunk.first * network.features(),
                  .packed = chunk.forward_packed.data(),
                  .from = args.features,
                  .inputs = network.features(),
                  .to = args.slopes,
                  .outputs = chunk.units});
  activation::All::visit(network.activation().index, [&](auto formula) { find_slopes(formula, chunk, args); });
  for (std::size_t k = 0; k < network.outputs(); ++k) add_output(chunk, args, k);
}

}  // namespace accrete::explain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::explain {

HWY_EXPORT(add_chunk);

namespace {

core::AlignedVector<float> packed_copy(const float* weights, std::size_t inputs, std::size_t outputs) {
  core::AlignedVector<float> packed(inputs * outputs + 2);
  network::pack_weights(weights, inputs, outputs, packed.data());
  return packed;
}

}  // namespace

DenseWeights::DenseWeights(const data::Encoder& encoder, const network::Network& network, std::size_t units)
    : network_(network), zeros_(std::max(network.features(), max_units)) {
  for (const data::ColumnEncoding& column : encoder.columns()) starts_.push_back(column.first());
  const std::size_t features = network.features();
  starts_.push_back(features);
  for (std::size_t first = 0; first < units; first += max_units) {
    Chunk chunk{first, std::min(max_units, units - first), {}, {}, {}};
    const float* weights = network.hidden_weights().data() + first * features;
    chunk.backward.resize(features * chunk.units);
    for (std::size_t u = 0; u < chunk.units; ++u)
      for (std::size_t f = 0; f < features; ++f) chunk.backward[f * chunk.units + u] = weights[u * features + f];
    chunk.forward_packed = packed_copy(weights, features, chunk.units);
    chunk.backward_packed = packed_copy(chunk.backward.data(), chunk.units, features);
    chunks_.push_back(std::move(chunk));
  }
}

DenseTile::DenseTile(const DenseWeights& weights, std::size_t tile_rows)
    : weights_(weights),
      tile_rows_(tile_rows),
      features_(weights.network().features() * tile_rows),
      slopes_(DenseWeights::max_units * tile_rows),
      scaled_(slopes_.size()),
      sums_(features_.size()),
      inputs_(weights.zeros().size()),
      values_(weights.network().outputs() * weights.columns() * tile_rows) {}

void DenseTile::compute() {
  const core::FlushDenormals flush;
  // Features are clamped to this magnitude, which saturates any unit, so that the weighted value does not overflow and
  // the slope does not underflow.
  constexpr float limit = 1e30f;
  for (float& x : features_) x = std::clamp(x, -limit, limit);
  std::ranges::fill(values_, 0.0);
  const Args args{.weights = weights_,
                  .tile_rows = tile_rows_,
                  .features = features_.data(),
                  .slopes = slopes_.data(),
                  .scaled = scaled_.data(),
                  .sums = sums_.data(),
                  .inputs = inputs_.data(),
                  .values = values_.data()};
  for (const DenseWeights::Chunk& chunk : weights_.chunks()) HWY_DYNAMIC_DISPATCH(add_chunk)(chunk, args);
}

}  // namespace accrete::explain
#endif
