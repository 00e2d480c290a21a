#include "accrete/backend/evaluate_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accrete/backend/evaluate_kernel.cpp"
#include "hwy/foreach_target.h"
// Highway compiles what follows once per instruction set.
#include <algorithm>

#include "accrete/activation/list.hpp"
#include "accrete/backend/accumulate-inl.hpp"
#include "accrete/backend/back-inl.hpp"
#include "accrete/backend/join-inl.hpp"
#include "accrete/backend/lookup-inl.hpp"
#include "accrete/backend/loss-inl.hpp"
#include "accrete/backend/output-inl.hpp"
#include "accrete/backend/squares-inl.hpp"
#include "accrete/data/ramp-inl.hpp"
#include "accrete/loss/list.hpp"
#include "accrete/network/dense-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

namespace dense = network::HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;

void point_at_features(const TileBlock& b, const TileRows& rows, const TileScratch& s) {
  if (const std::size_t spacing = b.spacing; spacing > 0) {
    const float* x = rows.x + b.feature[0].column * spacing;
    const float** inputs = s.inputs;
    for (std::size_t i = 0; i < b.features; ++i, x += spacing) inputs[i] = x;
  } else
    data::HWY_NAMESPACE::point_at_features({b.feature, b.features, b.tile_rows}, rows.x, rows.rows, s.inputs, s.ramps);
  s.inputs[b.features] = b.ones;  // one to point at, where all features are looked up
}

void point_at_units(const TileBlock& b, const float* hidden, const TileScratch& s) {
  for (std::size_t j = 0; j < b.units; ++j) s.layer[j] = hidden + j * b.tile_rows;
  s.layer[b.units] = b.ones;
}

LookupTile lookup_tile(const TileBlock& b, const TileRows& rows) {
  return {b.lookup->tables(), rows.looked_up, rows.rows, b.tile_rows, b.units};
}

/// Where the next tile is, if it is to be fetched, as in ChunkRows.
struct Next {
  std::size_t ahead = 0;        ///< where the features are not looked at again before the next tile's
  std::size_t piece_ahead = 0;  ///< where they are
  std::size_t tile = 0;         ///< of its first rows
};

void forward_hidden(const TileBlock& b, const TileRows& rows, const TileScratch& s, float* hidden, const Next& next) {
  const std::size_t piece_ahead = dense::fetches_in_order && b.spacing > 0 ? next.piece_ahead : 0;
  const dense::Combine products{s.inputs, b.features, b.hidden_weights, b.hidden_bias, rows.rows, b.tile_rows,
                                hidden,   b.spacing,  next.ahead,       piece_ahead,   next.tile, b.grouped_weights};
  if (b.lookup->empty()) return dense::combine_activated(products, b.units, b.activation);
  dense::combine<dense::Plain>(products, b.units);
  add_looked_up(lookup_tile(b, rows), hidden, s.side_by_side);
  activation::All::visit(b.activation, [&](auto formula) {
    for (std::size_t j = 0; j < b.units; ++j) dense::activate_run(formula, hidden + j * b.tile_rows, rows.rows);
  });
}

/// Errors of the loss itself, each times its row's weight, and their sums; returns the weighted loss.
double loss_errors(const TileBlock& b, const TileRows& rows, const TileScratch& s) {
  const std::size_t t = b.tile_rows;
  dense::combine<dense::Plain>({s.layer, b.units, b.output_weights, b.output_bias, rows.rows, t, s.out}, b.outputs);
  for (std::size_t k = 0; rows.base && k < b.outputs; ++k)
    for (std::size_t r = 0; r < rows.rows; ++r) s.out[k * t + r] += rows.base[k * t + r];
  const loss::Run<float> run{rows.rows, t, b.outputs, rows.targets, s.out, b.settings};
  loss::All::visit(b.loss, [&](auto l) { decltype(l)::values_and_derivatives(run, s.values, s.errors); });
  weigh(s.errors, rows.weights, b.outputs, rows.rows, t);
  accumulate({&b.ones, 1, s.errors, b.outputs, rows.rows, t, s.output_sums + b.units * b.outputs * sum_lanes()});
  return weighted_sum(s.values, rows.weights, rows.rows);
}

/// From the hidden outputs that s.layer points at: errors, both layers' deltas, and all sums but those of the features;
/// returns the weighted loss.
double between_layers(const TileBlock& b, const TileRows& rows, const TileScratch& s) {
  const float* hidden = s.layer[0];
  return activation::All::visit(b.activation, [&](auto formula) {
    if (b.squares && b.units == 1)
      return b.outputs == 1 ? there_and_back(formula, b, rows, hidden, s)
                            : there_and_back_many(formula, b, rows, hidden, s);
    const double value = b.squares ? squared_errors(b, rows, hidden, s) : loss_errors(b, rows, s);
    if (b.outputs == 1) {
      for (std::size_t j = 0; j < b.units; ++j) back_to_unit(formula, j, b, rows, hidden, s);
    } else {
      back_to_layer(formula, b, rows.rows, hidden, s);
    }
    return value;
  });
}

/// The hidden weights' gradient from the layer's deltas; their sums, the biases', are there already.
Accumulate hidden_gradient(const TileBlock& b, const TileRows& rows, const TileScratch& s, bool first) {
  return {.in = s.inputs,
          .inputs = b.features,
          .errors_at = s.delta,
          .errors = b.units,
          .rows = rows.rows,
          .stride = b.tile_rows,
          .sums = s.hidden_sums,
          .neighbours = b.spacing > 0,
          .first = first};
}

void backward_hidden(const TileBlock& b, const TileRows& rows, const TileScratch& s, std::size_t ahead, bool first) {
  Accumulate gradient = hidden_gradient(b, rows, s, first);
  gradient.ahead = ahead;
  accumulate(gradient);
  if (!b.lookup->empty()) accumulate_looked_up(lookup_tile(b, rows), s.delta, s.side_by_side, s.lookup_sums);
}

/// Sums at the beginning of a chunk; those of the hidden weights, which are many, only where the first tile reads them.
void clear(const TileBlock& b, const TileScratch& s) {
  const std::size_t cleared = begins_at_zero(b.units) ? b.features * b.units * sum_lanes() : 0;
  std::fill_n(s.hidden_sums + cleared, (b.features + 1) * b.units * sum_lanes() - cleared, 0.0f);
  std::fill_n(s.output_sums, (b.units + 1) * b.outputs * sum_lanes(), 0.0f);
  std::fill_n(s.lookup_sums, b.lookup->tables().size(), 0.0f);
}

/// The lanes joined in double, in the order of the parameters. Deltas of a single output lack its weight.
void flush_hidden(const TileBlock& b, const TileScratch& s, double* part) {
  const std::size_t all = b.lookup->features(), n = sum_lanes();
  const std::size_t* place = b.lookup->dense().data();
  const auto weight = [&](std::size_t j) { return b.outputs == 1 ? static_cast<double>(b.back_weights[j]) : 1.0; };
  double* bias = part + b.units * all;
  join_side_by_side(s.hidden_sums + b.features * b.units * n, n, b.units, 1.0, bias);
  for (std::size_t j = 0; j < b.units; ++j) bias[j] *= weight(j);
  if (b.lookup->empty()) {
    for (std::size_t j = 0; j < b.units; ++j)
      join_side_by_side(s.hidden_sums + j * n, b.units * n, b.features, weight(j), part + j * all);
    return;
  }
  for (std::size_t j = 0; j < b.units; ++j)
    join_numbers(s.hidden_sums + j * n, b.units * n, b.features,
                 [&](std::size_t i, double sum) { part[j * all + place[i]] = sum; });
  b.lookup->derivatives(s.lookup_sums, part);
  for (std::size_t j = 0; b.outputs == 1 && j < b.units; ++j)
    for (std::size_t i = 0; i < all; ++i) part[j * all + i] *= weight(j);
}

void flush_output(const TileBlock& b, const TileScratch& s, double* part) {
  join_side_by_side(s.output_sums, sum_lanes(), (b.units + 1) * b.outputs, 1.0, part);
}

/// Asks for the next tile's targets and weights, which are too few for the processor to see the pattern in time.
void fetch_targets(const ChunkRows& chunk, const TileRows& rows) {
  const std::size_t weights = chunk.tile_rows, targets = weights * chunk.target_columns;
  for (std::size_t i = 0; i < targets; i += lane_run) __builtin_prefetch(rows.targets + targets + i, 0, 2);
  for (std::size_t i = 0; i < weights; i += lane_run) __builtin_prefetch(rows.weights + weights + i, 0, 2);
}

/// How many tiles' features are multiplied with their deltas at once. Tiles of many rows need no company, and those
/// that come from afar should be done with when the next one is fetched.
std::size_t tiles_at_once(const TileBlock& b, const ChunkRows& chunk) {
  const bool alone = !long_vectors || b.units < 3 || b.spacing == 0 || b.tile_rows >= 256 || chunk.far;
  return alone || !b.lookup->empty() ? 1 : tiles_together(b.tile_rows, chunk.x_columns);
}

/// backward_hidden of the tiles from `first` up to `last`, whose deltas lie one behind the other.
void backward_tiles(const TileBlock& b, const ChunkRows& chunk, const TileScratch& s, std::size_t first,
                    std::size_t last) {
  const TileRows rows = chunk.tile(first);
  point_at_features(b, rows, s);
  Accumulate gradient = hidden_gradient(b, rows, s, first == 0);
  gradient.more = last - first - 1, gradient.last_rows = chunk.tile(last - 1).rows;
  gradient.to_inputs = chunk.tile_rows * chunk.x_columns, gradient.to_errors = b.units * b.tile_rows;
  accumulate(gradient);
}

void evaluate(const TileBlock& b, const ChunkRows& chunk, const TileScratch& s, double* part) {
  clear(b, s);
  double value = 0.0;
  const std::size_t at_once = tiles_at_once(b, chunk);
  TileScratch tile = s;
  for (std::size_t i = 0; i < chunk.tiles; ++i) {
    const TileRows rows = chunk.tile(i);
    if (at_once > 1) tile.delta = s.delta + i % at_once * b.units * b.tile_rows;
    if (dense::fetches_in_order && chunk.in_memory) fetch_targets(chunk, rows);
    point_at_features(b, rows, s);
    forward_hidden(b, rows, s, s.hidden, {.piece_ahead = chunk.early_ahead(), .tile = chunk.next(i)});
    point_at_units(b, s.hidden, s);
    value += between_layers(b, rows, tile);
    if (at_once == 1)
      backward_hidden(b, rows, s, dense::fetches_rows ? chunk.early_ahead() : chunk.ahead(), i == 0);
    else if ((i + 1) % at_once == 0 || i + 1 == chunk.tiles)
      backward_tiles(b, chunk, s, i / at_once * at_once, i + 1);
  }
  part[0] = value;
  flush_hidden(b, s, part + 1);
  flush_output(b, s, part + 1 + (b.lookup->features() + 1) * b.units);
}

void project(const TileBlock& b, const ChunkRows& chunk, const TileScratch& s, double* gram) {
  std::fill_n(gram, b.units * (b.units + 1 + b.outputs), 0.0);
  for (std::size_t i = 0; i < chunk.tiles; ++i) {
    const TileRows rows = chunk.tile(i);
    float* hidden = s.hidden + i * b.units * b.tile_rows;
    point_at_features(b, rows, s);
    // Where rows come from a cache, only one unit gains by a fetch of the whole next tile: 20 features take 51 cycles
    // for four rows instead of 57 on an N1; several units lose by it.
    const std::size_t ahead = b.units == 1 ? chunk.ahead() : chunk.early_ahead();
    forward_hidden(b, rows, s, hidden, {ahead, chunk.early_ahead(), chunk.next(i)});
    point_at_units(b, hidden, s);
    for (std::size_t k = 0; k < b.outputs; ++k) s.layer[b.units + 1 + k] = rows.targets + k * b.tile_rows;
    add_gram(b, rows, s.layer, gram);
  }
}

void evaluate_projected(const TileBlock& b, const ChunkRows& chunk, const TileScratch& s, double* part) {
  clear(b, s);
  double value = 0.0;
  for (std::size_t i = 0; i < chunk.tiles; ++i) {
    const TileRows rows = chunk.tile(i);
    const float* hidden = s.hidden + i * b.units * b.tile_rows;
    point_at_features(b, rows, s);
    point_at_units(b, hidden, s);
    value += between_layers(b, rows, s);
    backward_hidden(b, rows, s, chunk.ahead(), i == 0);
  }
  part[0] = value;
  flush_hidden(b, s, part + 1);
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::backend {

HWY_EXPORT(evaluate);
HWY_EXPORT(project);
HWY_EXPORT(evaluate_projected);

void evaluate_chunk(const TileBlock& block, const ChunkRows& rows, const TileScratch& scratch, double* part) {
  HWY_DYNAMIC_DISPATCH(evaluate)(block, rows, scratch, part);
}

void project_chunk(const TileBlock& block, const ChunkRows& rows, const TileScratch& scratch, double* gram) {
  HWY_DYNAMIC_DISPATCH(project)(block, rows, scratch, gram);
}

void evaluate_projected_chunk(const TileBlock& block, const ChunkRows& rows, const TileScratch& scratch, double* part) {
  HWY_DYNAMIC_DISPATCH(evaluate_projected)(block, rows, scratch, part);
}

}  // namespace accrete::backend
#endif
