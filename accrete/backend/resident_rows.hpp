#pragma once
// Rows of the CPU backend in tiles, and the chunks of tiles that are the tasks of its threads.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "accrete/backend/kernels/evaluate_kernel.hpp"
#include "accrete/backend/rows.hpp"
#include "accrete/comm/share.hpp"
#include "accrete/data/features.hpp"

namespace accrete::backend {

/// Maximum rows per chunk without lookup tables: sums of a chunk are accumulated in float lanes before they are reduced
/// to double.
inline constexpr std::size_t chunk_rows = 1024;

/// Multiply-adds below which a second thread costs more than it saves.
inline constexpr std::size_t min_parallel_work = 60'000;

struct TileRange {
  std::size_t first, last;  ///< last: exclusive
};

/// Each chunk has a sum per entry of the lookup tables, which is cleared first and added to the other chunks' at the
/// end. To amortise that, a chunk has enough rows to add to an entry `adds_per_entry` times on average.
inline constexpr std::size_t min_lookup_chunks = 8, max_lookup_chunks = 32, adds_per_entry = 12;

/// The chunks of all rows, which depend on the number of rows and on the features alone, and those of this rank.
struct RowChunks {
  std::size_t rows = 0;       ///< on all ranks
  std::size_t tile_rows = 1;  ///< per tile
  /// Chosen such that two tiles make at least two chunks: a second thread pays off long before 1,024 rows.
  std::size_t tiles_per_chunk = 1;
  comm::Share share = {{0, 0}};  ///< of the chunks

  RowChunks() = default;
  /// x: features of this rank's rows, which determine the tile size.
  RowChunks(const data::Features& x, std::size_t all_rows, const comm::Communicator& comm);

  std::size_t tiles() const { return (rows + tile_rows - 1) / tile_rows; }  ///< on all ranks
  std::size_t count() const { return share.count(); }                       ///< on this rank
  /// The tiles of a chunk of this rank, both counted from its first.
  TileRange tiles_of(std::size_t chunk) const {
    const std::size_t own = std::min(tiles(), share.last() * tiles_per_chunk) - share.first() * tiles_per_chunk;
    return {chunk * tiles_per_chunk, std::min(own, (chunk + 1) * tiles_per_chunk)};
  }
  /// The share of rows of each rank.
  comm::Share row_share() const { return comm::share_of_items(share, tiles_per_chunk * tile_rows, rows); }
};

/// This rank's features and, in the same tile layout, targets, weights, current scores and residuals.
struct ResidentRows {
  const data::Features* x = nullptr;
  RowChunks chunks = {};
  std::size_t outputs = 0, target_columns = 0;
  core::AlignedVector<float> targets;    ///< tiles x target_columns x tile_rows
  core::AlignedVector<float> weights;    ///< tiles x tile_rows; 0 in the padding
  core::AlignedVector<float> scores;     ///< tiles x outputs x tile_rows
  core::AlignedVector<float> residuals;  ///< tiles x outputs x tile_rows
  double total_weight = 0.0;             ///< on all ranks

  const float* tile_weights(std::size_t tile) const { return weights.data() + tile * x->tile_rows(); }
  float* tile_scores(std::size_t tile) { return scores.data() + tile * outputs * x->tile_rows(); }
  const float* tile_residuals(std::size_t tile) const { return residuals.data() + tile * outputs * x->tile_rows(); }
  float* tile_residuals(std::size_t tile) { return residuals.data() + tile * outputs * x->tile_rows(); }

  /// For StepObjective::loss: the targets, and the scores to which the block is added. Otherwise the residuals as
  /// targets, and no scores.
  TileRows tile(std::size_t tile, StepObjective objective) const { return chunk({tile, tile + 1}, objective).first; }
  ChunkRows chunk(TileRange tiles, StepObjective objective) const;
  /// Sets `result` to the listed rows of all ranks. This rank gets the rows of its chunks, with their features in
  /// `selected`. Reuses the memory of both. This object must outlive them.
  void select(std::span<const std::size_t> rows, comm::Communicator& comm, data::Features& selected,
              ResidentRows& result) const;
};

/// Targets and weights of all rows; scores and residuals are left empty.
ResidentRows make_resident_rows(const TrainingProblem& problem);

/// Rounds a number of floats up to whole cache lines.
inline std::size_t pad_to_line(std::size_t floats) {
  return (floats + line_floats - 1) / line_floats * line_floats;
}

}  // namespace accrete::backend
