// The hidden layer of a block over tiles of rows, compiled once per instruction set: hidden outputs from dense,
// tabulated (lookup) and sparse features, and the gradient of the hidden weights.

#if defined(ACCRETE_BACKEND_HIDDEN_LAYER_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_BACKEND_HIDDEN_LAYER_INL_HPP
#undef ACCRETE_BACKEND_HIDDEN_LAYER_INL_HPP
#else
#define ACCRETE_BACKEND_HIDDEN_LAYER_INL_HPP
#endif

#include <cstddef>

#include "accrete/activation/list.hpp"
#include "accrete/backend/kernels/accumulate-inl.hpp"
#include "accrete/backend/kernels/evaluate_kernel.hpp"
#include "accrete/data/encoder/ramp-inl.hpp"
#include "accrete/network/kernels/dense-inl.hpp"
#include "accrete/network/kernels/lookup-inl.hpp"
#include "accrete/network/kernels/sparse-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

namespace dense = network::HWY_NAMESPACE;

/// Points s.inputs at the features of a tile; computes ramps that the tile does not store into scratch.
HWY_NOINLINE inline void point_at_features(const KernelBlock& b, const TileRows& rows, const TileScratch& s) {
  // With two units per step, deriving the offsets from the sources here would take a quarter of the time.
  if (const std::size_t* offsets = b.input_offsets) {
    const float* const x = rows.x;
    const float** const inputs = s.inputs;
    for (std::size_t i = 0, count = b.features; i < count; ++i) inputs[i] = x + offsets[i];
  } else
    data::HWY_NAMESPACE::point_at_features({b.feature_sources, b.features, b.tile_rows}, rows.x, rows.rows, s.inputs,
                                           s.ramps);
  s.inputs[b.features] = b.ones;  // keeps the pointer valid if all features are in lookup tables
}

inline dense::LookupTile lookup_tile(const KernelBlock& b, const TileRows& rows) {
  return {.tables = b.lookup->tables(),
          .entries = rows.lookup_entries,
          .rows = rows.rows,
          .tile_rows = b.tile_rows,
          .units = b.units,
          .bias = b.features == 0 ? b.hidden_bias : nullptr};
}

/// Prefetch distances to the next tile, as in DenseArgs; 0 disables each.
struct PrefetchDistances {
  std::size_t per_input = 0;   ///< prefetched in the activation pass, for callers that read a tile only once
  std::size_t sequential = 0;  ///< prefetched in address order during the products
  std::size_t next_tile = 0;   ///< its first rows are prefetched with the last rows of this tile
};

/// Hidden outputs of a tile.
HWY_NOINLINE inline void forward_hidden(const KernelBlock& b, const TileRows& rows, const TileScratch& s, float* hidden,
                                        const PrefetchDistances& next) {
  const std::size_t sequential = dense::prefetches_sequentially && b.input_stride > 0 ? next.sequential : 0;
  const dense::DenseArgs products{.in = s.inputs,
                                  .inputs = b.features,
                                  .weights = b.hidden_weights,
                                  .bias = b.hidden_bias,
                                  .rows = rows.rows,
                                  .stride = b.tile_rows,
                                  .out = hidden,
                                  .input_stride = b.input_stride,
                                  .prefetch_distance = next.per_input,
                                  .sequential_distance = sequential,
                                  .next_tile_distance = next.next_tile,
                                  .packed = b.packed_weights};
  if (b.lookup->empty() && b.sparse->empty()) return dense::dense_layer_activated(products, b.units, b.activation);
  if (b.features > 0 || b.lookup->empty()) dense::dense_layer<dense::NoActivation>(products, b.units);
  if (!b.lookup->empty()) dense::add_lookup_sums(lookup_tile(b, rows), hidden, s.interleaved);
  if (!b.sparse->empty()) dense::add_sparse_sums(dense::sparse_tile(*b.sparse, rows.first_row, b.tile_rows), hidden);
  activation::All::visit(b.activation, [&](auto formula) {
    for (std::size_t j = 0; j < b.units; ++j) dense::activate_array(formula, hidden + j * b.tile_rows, rows.rows);
  });
}

/// Arguments that accumulate the gradient of the hidden weights from s.delta; output_pass handles the biases.
inline AccumulateArgs hidden_gradient(const KernelBlock& b, const TileRows& rows, const TileScratch& s,
                                      bool first_tile) {
  return {.in = s.inputs,
          .inputs = b.features,
          .error = s.delta,
          .errors = b.units,
          .rows = rows.rows,
          .stride = b.tile_rows,
          .sums = s.hidden_sums,
          .contiguous = b.input_stride > 0,
          .first_tile = first_tile};
}

/// Accumulates the gradient of the hidden weights of one tile.
HWY_NOINLINE inline void backward_hidden(const KernelBlock& b, const TileRows& rows, const TileScratch& s,
                                         std::size_t prefetch_distance, bool first_tile) {
  AccumulateArgs gradient = hidden_gradient(b, rows, s, first_tile);
  gradient.prefetch_distance = prefetch_distance;
  accumulate(gradient);
  if (!b.lookup->empty())
    dense::accumulate_lookup_gradient(lookup_tile(b, rows), s.delta, s.interleaved, s.lookup_sums);
  if (!b.sparse->empty())
    dense::copy_deltas(dense::sparse_tile(*b.sparse, rows.first_row, b.tile_rows), s.delta, b.sparse_deltas);
}

/// Number of tiles whose hidden gradient one call accumulates. One if a tile is large enough by itself, or if rows
/// exceed the L2 cache, because a tile should be finished before the next one is prefetched.
inline std::size_t tiles_per_accumulate(const KernelBlock& b, const ChunkRows& chunk) {
  const bool single = !has_avx512 || b.units < 3 || b.input_stride == 0 || b.tile_rows >= 256 || chunk.exceeds_l2;
  return single || !b.lookup->empty() || !b.sparse->empty() ? 1
                                                            : max_tiles_per_accumulate(b.tile_rows, chunk.x_columns);
}

/// backward_hidden for tiles first .. last - 1, whose deltas are contiguous.
HWY_NOINLINE inline void backward_tiles(const KernelBlock& b, const ChunkRows& chunk, const TileScratch& s,
                                        std::size_t first, std::size_t last) {
  const TileRows rows = chunk.tile(first);
  point_at_features(b, rows, s);
  AccumulateArgs gradient = hidden_gradient(b, rows, s, first == 0);
  gradient.extra_tiles = last - first - 1, gradient.last_tile_rows = chunk.tile(last - 1).rows;
  gradient.tile_input_stride = chunk.tile_rows * chunk.x_columns, gradient.tile_error_stride = b.units * b.tile_rows;
  accumulate(gradient);
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
