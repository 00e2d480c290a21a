#pragma once
// One evaluation over a chunk of rows: forward, error, backward, tile by tile, while a tile stays in the first-level
// cache. Compiled once per instruction set; the best one the processor has is chosen at run time, once per chunk.

#include <cstddef>

#include "accrete/backend/lookup.hpp"
#include "accrete/data/features.hpp"
#include "accrete/loss/formula.hpp"

namespace accrete::backend {

/// Sums are kept per vector lane, at most this many to a number; rows are worked on in multiples of it.
inline constexpr std::size_t lane_run = 16;

/// The block being fitted, in float, each layer laid out for the product that reads it.
struct TileBlock {
  std::size_t features, units, outputs, tile_rows;  ///< features: those that are multiplied
  std::size_t activation, loss;                     ///< indices into their lists
  bool squares;                                     ///< squared error to the targets with no base: in one pass
  loss::Settings settings;
  const data::FeatureSource* feature;  ///< where each is in a tile
  const float* hidden_weights;         ///< units x features
  const float* grouped_weights;        ///< the same, as network/grouped.hpp lays them; null where nothing reads them so
  const float* hidden_bias;            ///< units
  const float* output_weights;         ///< outputs x units
  const float* back_weights;           ///< units x outputs: the same, transposed
  const float* output_bias;            ///< outputs
  const float* ones;                   ///< tile_rows
  const Lookup* lookup;                ///< the other features
  std::size_t spacing;  ///< from each feature to the next in a tile, where it is the same for all; else 0
};

/// The rows of one tile. targets: one row of tile_rows per output (per target column); base: outputs x tile_rows
/// scores the block is added to, or null for none. rows: how many there are, up to the next multiple of lane_run; those
/// past the last have weight 0.
struct TileRows {
  const float* x;
  const float* targets;
  const float* base;
  const float* weights;
  std::size_t rows;
  LookupRows looked_up = {};
};

/// Neighbouring tiles, from `first` on; the last may be shorter.
struct ChunkRows {
  TileRows first;
  std::size_t tiles, last_rows;
  std::size_t tile_rows, x_columns, target_columns, outputs;
  bool far = false;        ///< the rows are more than the caches hold: the next tile is fetched while one is worked on
  bool in_memory = false;  ///< and more than any cache holds: it is fetched all the time
  std::size_t lookup_columns = 0;

  TileRows tile(std::size_t i) const {
    const std::size_t t = i * tile_rows;
    return {first.x + t * x_columns,
            first.targets + t * target_columns,
            first.base ? first.base + t * outputs : nullptr,
            first.weights + t,
            i + 1 == tiles ? last_rows : tile_rows,
            {first.looked_up.codes + t * lookup_columns, first.looked_up.rises + t * lookup_columns}};
  }

  /// From a feature of a tile to the same one of the next tile, if that is to be fetched ahead; 0 if not. After the
  /// last tile nothing is there, which does no harm.
  std::size_t ahead() const { return far ? tile_rows * x_columns : 0; }
  std::size_t early_ahead() const { return in_memory ? ahead() : 0; }
  /// The same from tile i, where fetching its first rows in time is all that is needed.
  std::size_t next(std::size_t i) const { return i + 1 < tiles && !in_memory ? tile_rows * x_columns : 0; }
};

/// Neighbouring tiles whose deltas may wait for each other, so that their features are multiplied with them in one go:
/// what a second-level cache holds beside other things.
inline std::size_t tiles_together(std::size_t tile_rows, std::size_t x_columns) {
  const std::size_t most = 64 * 1024 / (tile_rows * x_columns + 1);
  return most > 1 ? most : 1;
}

/// Room for one thread.
struct TileScratch {
  float* hidden;         ///< units x tile_rows; projected: of every tile of the chunk
  float* out;            ///< outputs x tile_rows
  float* errors;         ///< outputs x tile_rows
  float* delta;          ///< units x tile_rows, of tiles_together
  float* values;         ///< tile_rows
  const float** inputs;  ///< features + 1
  const float** layer;   ///< units + 1 + outputs
  float* hidden_sums;    ///< room for (features + 1) x units x lane_run; the last input is the bias
  float* output_sums;    ///< room for (units + 1) x outputs x lane_run
  float* side_by_side;   ///< lookup_units x tile_rows, where something is looked up
  float* lookup_sums;    ///< as Lookup's tables
  float* ramps;          ///< those among the features x tile_rows
};

/// part: the weighted loss, then its derivative by each parameter in the order of BlockShape. Sums, not means.
void evaluate_chunk(const TileBlock& block, const ChunkRows& rows, const TileScratch& scratch, double* part);

/// Hidden outputs into scratch.hidden, and their weighted products with each other, with 1 and with the targets, summed
/// in double: gram is units x (units + 1 + outputs), of the square part the upper triangle at least.
void project_chunk(const TileBlock& block, const ChunkRows& rows, const TileScratch& scratch, double* gram);

/// The second half, from scratch.hidden as project_chunk left it: value and the hidden layer's gradient.
void evaluate_projected_chunk(const TileBlock& block, const ChunkRows& rows, const TileScratch& scratch, double* part);

}  // namespace accrete::backend
