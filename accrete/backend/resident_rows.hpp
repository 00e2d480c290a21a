#pragma once
// Rows of the CPU backend, laid out in tiles, and the chunks of tiles that are the tasks of its threads.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "accrete/backend/kernels/evaluate_kernel.hpp"
#include "accrete/backend/rows.hpp"
#include "accrete/data/features.hpp"

namespace accrete::backend {

/// Max rows of a chunk: its sums are accumulated in float lanes before they are reduced to double.
inline constexpr std::size_t chunk_rows = 1024;

/// Multiply-adds below which a second thread costs more than it saves.
inline constexpr std::size_t min_parallel_work = 60'000;

struct TileRange {
  std::size_t first, last;  ///< last: exclusive
};

/// Chunks of rows with lookup tables at most: each chunk has the sums of all parameters, which are many.
inline constexpr std::size_t max_lookup_chunks = 32;

/// At least two chunks if there are two tiles: a second thread pays long before 1,024 rows.
inline std::size_t tiles_per_chunk(const data::Features& x) {
  const std::size_t tiles = std::max<std::size_t>(1, std::min(chunk_rows / x.tile_rows(), (x.tiles() + 1) / 2));
  return x.has_wide_columns() ? std::max(tiles, (x.tiles() + max_lookup_chunks - 1) / max_lookup_chunks) : tiles;
}
inline std::size_t chunk_count(const data::Features& x) {
  return (x.tiles() + tiles_per_chunk(x) - 1) / tiles_per_chunk(x);
}
inline TileRange chunk_tiles(const data::Features& x, std::size_t chunk) {
  const std::size_t per = tiles_per_chunk(x);
  return {chunk * per, std::min(x.tiles(), (chunk + 1) * per)};
}

/// The features and, in the same tile layout, targets, weights, current scores and residuals.
struct ResidentRows {
  const data::Features* x = nullptr;
  std::size_t outputs = 0, target_columns = 0;
  core::AlignedVector<float> targets;    ///< tiles x target_columns x tile_rows
  core::AlignedVector<float> weights;    ///< tiles x tile_rows; 0 in the padding
  core::AlignedVector<float> scores;     ///< tiles x outputs x tile_rows
  core::AlignedVector<float> residuals;  ///< tiles x outputs x tile_rows
  double total_weight = 0.0;

  const float* tile_weights(std::size_t tile) const { return weights.data() + tile * x->tile_rows(); }
  float* tile_scores(std::size_t tile) { return scores.data() + tile * outputs * x->tile_rows(); }
  const float* tile_residuals(std::size_t tile) const { return residuals.data() + tile * outputs * x->tile_rows(); }
  float* tile_residuals(std::size_t tile) { return residuals.data() + tile * outputs * x->tile_rows(); }

  /// StepObjective::loss: the targets, and the scores the block is added to. Otherwise: the residuals as targets, and
  /// no scores.
  TileRows tile(std::size_t tile, StepObjective objective) const { return chunk({tile, tile + 1}, objective).first; }
  ChunkRows chunk(TileRange tiles, StepObjective objective) const;
  /// Copies the listed rows, whose features are `selected`, to result and reuses its memory.
  void select(std::span<const std::size_t> rows, const data::Features& selected, ResidentRows& result) const;
};

/// Targets and weights of all rows; scores and residuals are left empty.
ResidentRows make_resident_rows(const TrainingProblem& problem);

/// Rounds a number of floats up to whole cache lines.
inline std::size_t pad_to_line(std::size_t floats) {
  return (floats + line_floats - 1) / line_floats * line_floats;
}

}  // namespace accrete::backend
