#pragma once
// Rows of the CPU backend, laid out tile by tile, and the chunks of tiles that threads share out.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "accrete/backend/evaluate_kernel.hpp"
#include "accrete/backend/rows.hpp"
#include "accrete/data/features.hpp"

namespace accrete::backend {

/// Most rows whose sums are joined in float lanes before they go to double; also the unit of work of a thread.
inline constexpr std::size_t chunk_rows = 1024;

/// Multiply-adds below which a second thread costs more than it brings.
inline constexpr std::size_t worth_a_thread = 60'000;

struct TileRange {
  std::size_t first, last;
};

/// Two chunks at least, where there are two tiles: a second thread is worth while long before 1,024 rows.
inline std::size_t tiles_per_chunk(const data::Features& x) {
  return std::max<std::size_t>(1, std::min(chunk_rows / x.tile_rows(), (x.tiles() + 1) / 2));
}
inline std::size_t chunk_count(const data::Features& x) {
  return (x.tiles() + tiles_per_chunk(x) - 1) / tiles_per_chunk(x);
}
inline TileRange chunk_tiles(const data::Features& x, std::size_t chunk) {
  const std::size_t per = tiles_per_chunk(x);
  return {chunk * per, std::min(x.tiles(), (chunk + 1) * per)};
}

/// Everything that goes with the features, tile after tile: targets, weights, current scores, residuals.
struct ResidentRows {
  const data::Features* x = nullptr;
  std::size_t outputs = 0, target_columns = 0;
  core::AlignedVector<float> targets;    ///< tiles x target_columns x tile_rows
  core::AlignedVector<float> weights;    ///< tiles x tile_rows; 0 past the last row
  core::AlignedVector<float> base;       ///< tiles x outputs x tile_rows: current scores
  core::AlignedVector<float> residuals;  ///< likewise
  double total_weight = 0.0;

  const float* weight(std::size_t tile) const { return weights.data() + tile * x->tile_rows(); }
  float* score(std::size_t tile) { return base.data() + tile * outputs * x->tile_rows(); }
  const float* residual(std::size_t tile) const { return residuals.data() + tile * outputs * x->tile_rows(); }
  float* residual(std::size_t tile) { return residuals.data() + tile * outputs * x->tile_rows(); }

  /// For Fit::loss the targets and the scores they are compared at; else the residuals, compared with nothing added.
  TileRows tile(std::size_t tile, Fit fit) const { return chunk({tile, tile + 1}, fit).first; }
  ChunkRows chunk(TileRange tiles, Fit fit) const;
  /// The listed rows, whose features are `selected`, into result, whose memory is used again.
  void select(std::span<const std::size_t> rows, const data::Features& selected, ResidentRows& result) const;
};

ResidentRows rows_of(const Source& source);

/// Floats that fill whole lines of the cache.
inline std::size_t padded(std::size_t floats) {
  return (floats + lane_run - 1) / lane_run * lane_run;
}

}  // namespace accrete::backend
