#pragma once
// One evaluation of a block over a chunk of rows: forward, errors and backward, tile by tile, while a tile stays in the
// L1 cache. Compiled once per instruction set and dispatched at run time once per chunk.

#include <cstddef>

#include "accrete/data/features.hpp"
#include "accrete/loss/formula.hpp"
#include "accrete/network/lookup.hpp"
#include "accrete/network/sparse_layer.hpp"

namespace accrete::backend {

/// Floats in a cache line: the maximum vector size and lanes per accumulator, and the padding unit of rows.
inline constexpr std::size_t line_floats = 16;

/// The block being fitted, in float; each layer in the layout of the kernel that reads it.
struct KernelBlock {
  std::size_t features, units, outputs, tile_rows;  ///< features: the dense ones
  std::size_t activation, loss;                     ///< indices into activation::All and loss::All
  bool squared_error;                               ///< fit TileRows::targets by squared error; `loss` is not used
  loss::LossSettings settings;
  const data::FeatureSource* feature_sources;        ///< per feature: its location in a tile
  const std::size_t* input_offsets = nullptr;        ///< in floats from the tile; null if a feature is computed
  const float* hidden_weights = nullptr;             ///< units x features
  const float* packed_weights = nullptr;             ///< packed by network/packed_weights.hpp, or null
  const float* hidden_bias = nullptr;                ///< units
  const float* output_weights = nullptr;             ///< outputs x units
  const float* output_weights_transposed = nullptr;  ///< units x outputs
  const float* output_bias = nullptr;                ///< outputs
  const float* ones = nullptr;                       ///< tile_rows
  const network::LookupLayer* lookup;                ///< the features in lookup tables
  const network::SparseLayer* sparse;                ///< the sparse features
  float* sparse_deltas = nullptr;                    ///< rows x width of the sparse layer: deltas of all rows
  std::size_t input_stride;  ///< floats from a feature to the next in a tile if it is the same for all, else 0
};

/// The rows of one tile. Arrays are columns x tile_rows.
struct TileRows {
  const float* x;        ///< stored columns
  const float* targets;  ///< one column per target, or per output if residuals are fitted
  const float* scores;   ///< current scores, one column per output, to which the block is added; null: zero
  const float* weights;  ///< one column; 0 in the padding
  std::size_t rows;      ///< padded to a multiple of line_floats
  const std::uint16_t* lookup_entries = nullptr;  ///< one column per lookup table
  std::size_t first_row = 0;                      ///< index of the tile's first row among all rows
};

/// Consecutive tiles; the last may have fewer rows.
struct ChunkRows {
  TileRows first;
  std::size_t tiles, last_tile_rows;
  std::size_t tile_rows, x_columns, target_columns, outputs;
  bool exceeds_l2 = false;  ///< all rows exceed the L2 cache: prefetch the next tile
  bool exceeds_l3 = false;  ///< and exceed the shared cache: prefetch in every phase of a tile
  std::size_t lookup_tables = 0;

  TileRows tile(std::size_t i) const {
    const std::size_t t = i * tile_rows;
    return {.x = first.x + t * x_columns,
            .targets = first.targets + t * target_columns,
            .scores = first.scores ? first.scores + t * outputs : nullptr,
            .weights = first.weights + t,
            .rows = i + 1 == tiles ? last_tile_rows : tile_rows,
            .lookup_entries = first.lookup_entries + t * lookup_tables,
            .first_row = first.first_row + t};
  }

  /// Floats from a feature of a tile to the same feature of the next tile if it should be prefetched, else 0. A
  /// prefetch past the last tile is harmless.
  std::size_t prefetch_distance() const { return exceeds_l2 ? tile_rows * x_columns : 0; }
  /// The same, but 0 unless rows come from DRAM.
  std::size_t dram_prefetch_distance() const { return exceeds_l3 ? prefetch_distance() : 0; }
  /// The same from tile i, but 0 unless rows come from a cache, where prefetching the next tile's first rows suffices.
  std::size_t next_tile_distance(std::size_t i) const {
    return i + 1 < tiles && !exceeds_l3 ? tile_rows * x_columns : 0;
  }
};

/// Maximum number of consecutive tiles whose deltas are kept until one call accumulates their hidden gradient; limited
/// because their features must still be in the L2 cache.
inline std::size_t max_tiles_per_accumulate(std::size_t tile_rows, std::size_t x_columns) {
  const std::size_t max = 64 * 1024 / (tile_rows * x_columns + 1);
  return max > 1 ? max : 1;
}

/// Scratch of one thread.
struct TileScratch {
  float* hidden;          ///< units x tile_rows; projected objective: of every tile of the chunk
  float* out;             ///< outputs x tile_rows
  float* errors;          ///< outputs x tile_rows: gradient of the outputs
  float* delta;           ///< units x tile_rows, for max_tiles_per_accumulate tiles: gradient of the hidden sums
  float* values;          ///< tile_rows: losses
  const float** inputs;   ///< features + 1: pointers to the features, then ones
  const float** columns;  ///< units + 1 + outputs: pointers to the hidden outputs, ones and targets
  float* hidden_sums;     ///< (features + 1) x units accumulators; the last input is the bias
  float* output_sums;     ///< (units + 1) x outputs accumulators; the last input is the bias
  float* interleaved;     ///< width of the lookup tables x tile_rows, if there are any
  float* lookup_sums;     ///< of the chunk, laid out as the lookup tables
  float* ramps;           ///< tile_rows per ramp among the features
};

/// sums: the weighted loss, then its derivatives with respect to the parameters of the dense features in BlockShape
/// order, not divided by the total weight. Gradient sums of features in lookup tables go to scratch.lookup_sums; deltas
/// for the gradient of sparse features go to block.sparse_deltas.
void evaluate_chunk(const KernelBlock& block, const ChunkRows& rows, const TileScratch& scratch, double* sums);

/// Writes the hidden outputs to scratch.hidden, and their weighted products with each other, with 1 and with the
/// targets, summed in double, to gram: units x (units + 1 + outputs). Only the upper triangle of the square part is
/// defined.
void project_chunk(const KernelBlock& block, const ChunkRows& rows, const TileScratch& scratch, double* gram);

/// This chunk's part of the projected objective, and of its gradient with respect to the hidden layer. block has the
/// optimal output layer for its hidden layer; scratch.hidden is what project_chunk wrote for the same chunk. sums is
/// laid out as in evaluate_chunk and ends before the output layer.
void evaluate_projected_chunk(const KernelBlock& block, const ChunkRows& rows, const TileScratch& scratch,
                              double* sums);

}  // namespace accrete::backend
