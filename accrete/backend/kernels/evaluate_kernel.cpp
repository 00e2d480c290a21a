#include "accrete/backend/kernels/evaluate_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accrete/backend/kernels/evaluate_kernel.cpp"
#include "hwy/foreach_target.h"
// Everything below is compiled once per instruction set.
#include <algorithm>

#include "accrete/activation/list.hpp"
#include "accrete/backend/kernels/accumulate-inl.hpp"
#include "accrete/backend/kernels/backward-inl.hpp"
#include "accrete/backend/kernels/gram-inl.hpp"
#include "accrete/backend/kernels/hidden_layer-inl.hpp"
#include "accrete/backend/kernels/output_layer-inl.hpp"
#include "accrete/backend/kernels/reduce-inl.hpp"
#include "accrete/backend/kernels/row_weights-inl.hpp"
#include "accrete/loss/list.hpp"
#include "accrete/network/kernels/dense-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

namespace dense = network::HWY_NAMESPACE;

/// Points s.columns at the hidden outputs and ones.
void point_at_units(const KernelBlock& b, const float* hidden, const TileScratch& s) {
  for (std::size_t j = 0; j < b.units; ++j) s.columns[j] = hidden + j * b.tile_rows;
  s.columns[b.units] = b.ones;
}

/// s.errors = weight * derivative of the loss at scores + block output; accumulates the output bias gradient. Returns
/// the weighted loss.
double loss_errors(const KernelBlock& b, const TileRows& rows, const TileScratch& s) {
  const std::size_t t = b.tile_rows;
  dense::dense_layer<dense::NoActivation>({.in = s.columns,
                                           .inputs = b.units,
                                           .weights = b.output_weights,
                                           .bias = b.output_bias,
                                           .rows = rows.rows,
                                           .stride = t,
                                           .out = s.out},
                                          b.outputs);
  for (std::size_t k = 0; rows.scores && k < b.outputs; ++k)
    for (std::size_t r = 0; r < rows.rows; ++r) s.out[k * t + r] += rows.scores[k * t + r];
  const loss::LossRows<float> loss_rows{.count = rows.rows,
                                        .stride = t,
                                        .outputs = b.outputs,
                                        .targets = rows.targets,
                                        .scores = s.out,
                                        .settings = b.settings};
  loss::All::visit(b.loss, [&](auto l) { decltype(l)::values_and_derivatives(loss_rows, s.values, s.errors); });
  multiply_by_row_weights(s.errors, rows.weights, b.outputs, rows.rows, t);
  accumulate({.in = &b.ones,
              .inputs = 1,
              .error = s.errors,
              .errors = b.outputs,
              .rows = rows.rows,
              .stride = t,
              .sums = s.output_sums + b.units * b.outputs * accumulator_lanes()});
  return weighted_sum(s.values, rows.weights, rows.rows);
}

/// Given the outputs of the hidden units (s.columns), computes the errors and deltas of a tile and adds to the gradient
/// of the output layer and of the hidden biases; backward_hidden adds to that of the hidden weights. Returns the loss
/// of the tile, summed with row weights.
double output_pass(const KernelBlock& b, const TileRows& rows, const TileScratch& s) {
  const float* hidden = s.columns[0];
  return activation::All::visit(b.activation, [&](auto formula) {
    if (b.squared_error && b.units == 1)
      return b.outputs == 1 ? fused_one_unit_one_output(formula, b, rows, hidden, s)
                            : fused_one_unit(formula, b, rows, hidden, s);
    const double value = b.squared_error ? squared_errors(b, rows, hidden, s) : loss_errors(b, rows, s);
    if (b.outputs == 1) {
      for (std::size_t j = 0; j < b.units; ++j) backward_one_output(formula, j, b, rows, hidden, s);
    } else {
      backward_layer(formula, b, rows.rows, hidden, s);
    }
    return value;
  });
}

/// Zeroes the accumulators of a chunk, except those of the hidden weights if the kernel zeroes them itself
/// (zeroes_accumulators).
void clear_sums(const KernelBlock& b, const TileScratch& s) {
  const std::size_t skipped = zeroes_accumulators(b.units) ? b.features * b.units * accumulator_lanes() : 0;
  std::fill_n(s.hidden_sums + skipped, (b.features + 1) * b.units * accumulator_lanes() - skipped, 0.0f);
  std::fill_n(s.output_sums, (b.units + 1) * b.outputs * accumulator_lanes(), 0.0f);
  std::fill_n(s.lookup_sums, b.lookup->tables().size, 0.0f);
}

/// Reduces the accumulators of the hidden layer to double, in parameter order. With a single output, the deltas do not
/// include the output weight (see backward_one_output), so it is applied here.
void write_hidden_gradient(const KernelBlock& b, const TileScratch& s, double* sums) {
  const std::size_t n = accumulator_lanes();
  const auto weight = [&](std::size_t j) {
    return b.outputs == 1 ? static_cast<double>(b.output_weights_transposed[j]) : 1.0;
  };
  double* bias = sums + b.units * b.features;
  reduce_scaled(s.hidden_sums + b.features * b.units * n, n, b.units, 1.0, bias);
  for (std::size_t j = 0; j < b.units; ++j) bias[j] *= weight(j);
  for (std::size_t j = 0; j < b.units; ++j)
    reduce_scaled(s.hidden_sums + j * n, b.units * n, b.features, weight(j), sums + j * b.features);
}

/// The same for the output layer.
void write_output_gradient(const KernelBlock& b, const TileScratch& s, double* sums) {
  reduce_scaled(s.output_sums, accumulator_lanes(), (b.units + 1) * b.outputs, 1.0, sums);
}

/// Prefetches targets and weights of the next tile: their streams are too short for the hardware prefetcher to detect.
void prefetch_targets(const ChunkRows& chunk, const TileRows& rows) {
  const std::size_t weights = chunk.tile_rows, targets = weights * chunk.target_columns;
  for (std::size_t i = 0; i < targets; i += line_floats) __builtin_prefetch(rows.targets + targets + i, 0, 2);
  for (std::size_t i = 0; i < weights; i += line_floats) __builtin_prefetch(rows.weights + weights + i, 0, 2);
}

void evaluate(const KernelBlock& b, const ChunkRows& chunk, const TileScratch& s, double* sums) {
  clear_sums(b, s);
  double value = 0.0;
  const std::size_t per_call = tiles_per_accumulate(b, chunk);
  TileScratch tile = s;
  for (std::size_t i = 0; i < chunk.tiles; ++i) {
    const TileRows rows = chunk.tile(i);
    if (per_call > 1) tile.delta = s.delta + i % per_call * b.units * b.tile_rows;
    if (dense::prefetches_sequentially && chunk.exceeds_l3) prefetch_targets(chunk, rows);
    point_at_features(b, rows, s);
    forward_hidden(b, rows, s, s.hidden,
                   {.sequential = chunk.dram_prefetch_distance(), .next_tile = chunk.next_tile_distance(i)});
    point_at_units(b, s.hidden, s);
    value += output_pass(b, rows, tile);
    if (per_call == 1)
      backward_hidden(b, rows, s, dense::prefetches_rows ? chunk.dram_prefetch_distance() : chunk.prefetch_distance(),
                      i == 0);
    else if ((i + 1) % per_call == 0 || i + 1 == chunk.tiles)
      backward_tiles(b, chunk, s, i / per_call * per_call, i + 1);
  }
  sums[0] = value;
  write_hidden_gradient(b, s, sums + 1);
  write_output_gradient(b, s, sums + 1 + (b.features + 1) * b.units);
}

void project(const KernelBlock& b, const ChunkRows& chunk, const TileScratch& s, double* gram) {
  std::fill_n(gram, b.units * (b.units + 1 + b.outputs), 0.0);
  for (std::size_t i = 0; i < chunk.tiles; ++i) {
    const TileRows rows = chunk.tile(i);
    float* hidden = s.hidden + i * b.units * b.tile_rows;
    point_at_features(b, rows, s);
    // For rows in a cache, prefetching the whole next tile pays off for one unit only (20 features on a Neoverse N1: 51
    // instead of 57 cycles per four rows); several units get slower.
    const std::size_t prefetch_distance = b.units == 1 ? chunk.prefetch_distance() : chunk.dram_prefetch_distance();
    forward_hidden(b, rows, s, hidden,
                   {prefetch_distance, chunk.dram_prefetch_distance(), chunk.next_tile_distance(i)});
    point_at_units(b, hidden, s);
    for (std::size_t k = 0; k < b.outputs; ++k) s.columns[b.units + 1 + k] = rows.targets + k * b.tile_rows;
    add_gram(b, rows, s.columns, gram);
  }
}

void evaluate_projected(const KernelBlock& b, const ChunkRows& chunk, const TileScratch& s, double* sums) {
  clear_sums(b, s);
  double value = 0.0;
  for (std::size_t i = 0; i < chunk.tiles; ++i) {
    const TileRows rows = chunk.tile(i);
    const float* hidden = s.hidden + i * b.units * b.tile_rows;
    point_at_features(b, rows, s);
    point_at_units(b, hidden, s);
    value += output_pass(b, rows, s);
    backward_hidden(b, rows, s, chunk.prefetch_distance(), i == 0);
  }
  sums[0] = value;
  write_hidden_gradient(b, s, sums + 1);
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::backend {

HWY_EXPORT(evaluate);
HWY_EXPORT(project);
HWY_EXPORT(evaluate_projected);

void evaluate_chunk(const KernelBlock& block, const ChunkRows& rows, const TileScratch& scratch, double* sums) {
  HWY_DYNAMIC_DISPATCH(evaluate)(block, rows, scratch, sums);
}

void project_chunk(const KernelBlock& block, const ChunkRows& rows, const TileScratch& scratch, double* gram) {
  HWY_DYNAMIC_DISPATCH(project)(block, rows, scratch, gram);
}

void evaluate_projected_chunk(const KernelBlock& block, const ChunkRows& rows, const TileScratch& scratch,
                              double* sums) {
  HWY_DYNAMIC_DISPATCH(evaluate_projected)(block, rows, scratch, sums);
}

}  // namespace accrete::backend
#endif
