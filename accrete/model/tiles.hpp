#pragma once
// The rows of a batch in tiles, shared by the threads. Internal to model/ and explain/.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>

#include "accrete/core/parallel.hpp"
#include "accrete/core/tiled.hpp"
#include "accrete/model/model.hpp"
#include "accrete/model/predict_source.hpp"

namespace accrete::model {

struct TilePlan {
  std::size_t rows, tile_rows;
  std::size_t tiles_per_task;  ///< share one scratch; few, so that small batches still use every thread
};

/// Rows per tile for predicting `rows` rows: a multiple of 64, and as small as possible because kernels also compute
/// the padding. tables: null for dense weights.
inline std::size_t tile_rows_of(const Model& model, const network::PredictTables* tables, std::size_t rows) {
  constexpr std::size_t step = 64;
  // All tables are read once per tile, so a tile is as large as the L2 cache allows: codes of about 128 KiB.
  constexpr std::size_t tile_codes = 16'384, max_rows = 1'024;
  const std::size_t limit = tables ? std::clamp(tile_codes / tables->columns() / step * step, step, max_rows)
                                   : core::TiledMatrix::tile_rows_for(model.network.features());
  return std::clamp((rows + step - 1) / step * step, step, limit);
}

/// Calls visit(range, scratch) for every tile; each task has its own scratch from make_scratch(). visit returns false
/// if a row has an infinite value. Returns the rows of the first such tile, for any number of threads.
template <class MakeScratch, class Visit>
std::optional<RowRange> run_tiles(const TilePlan& plan, core::Workers& workers, const MakeScratch& make_scratch,
                                  const Visit& visit) {
  const std::size_t t = plan.tile_rows, per_task = plan.tiles_per_task;
  const std::size_t tiles = (plan.rows + t - 1) / t, tasks = (tiles + per_task - 1) / per_task;
  const auto range = [&](std::size_t tile) { return RowRange{tile * t, std::min(t, plan.rows - tile * t)}; };
  std::atomic<std::size_t> bad_tile{tiles};
  workers.run(tasks, [&](std::size_t task) {
    auto scratch = make_scratch();
    for (std::size_t tile = task * per_task; tile < std::min(tiles, (task + 1) * per_task); ++tile) {
      if (visit(range(tile), scratch)) continue;
      for (std::size_t seen = bad_tile; tile < seen && !bad_tile.compare_exchange_weak(seen, tile);) {
      }
      return;
    }
  });
  if (bad_tile < tiles) return range(bad_tile);
  return std::nullopt;
}

}  // namespace accrete::model
