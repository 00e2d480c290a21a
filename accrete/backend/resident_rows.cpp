#include "accrete/backend/resident_rows.hpp"

#include <algorithm>
#include <vector>

#include "accrete/backend/exchange_rows.hpp"
#include "accrete/comm/tree_sum.hpp"
#include "accrete/data/feature_memory.hpp"

namespace accrete::backend {
namespace {

/// Copies the listed rows of a tiled array.
void select_rows(const core::AlignedVector<float>& from, core::TileLayout layout, std::span<const std::size_t> rows,
                 core::AlignedVector<float>& to) {
  if (from.empty()) return;
  to.resize((rows.size() + layout.tile_rows - 1) / layout.tile_rows * layout.columns * layout.tile_rows);
  core::gather_rows(from.data(), layout, rows, to.data());
}

void select_local(const ResidentRows& from, std::span<const std::size_t> rows, data::Features& selected,
                  ResidentRows& result) {
  const std::size_t t = from.x->tile_rows();
  from.x->select_rows(rows, selected);
  select_rows(from.targets, {from.target_columns, t}, rows, result.targets);
  select_rows(from.weights, {1, t}, rows, result.weights);
  select_rows(from.scores, {from.outputs, t}, rows, result.scores);
  select_rows(from.residuals, {from.outputs, t}, rows, result.residuals);
}

/// Sums over all ranks.
void sum_weights(ResidentRows& rows, comm::Communicator& comm) {
  const std::size_t t = rows.chunks.tile_rows;
  std::vector<double> sums(rows.chunks.count(), 0.0);
  for (std::size_t c = 0; c < sums.size(); ++c) {
    const TileRange tiles = rows.chunks.tiles_of(c);
    for (std::size_t r = tiles.first * t; r < std::min(tiles.last * t, rows.x->rows()); ++r)
      sums[c] += static_cast<double>(rows.weights[r]);
  }
  rows.total_weight = comm::TreeSum(comm, rows.chunks.share).add(sums.data(), 1, 1)[0];
}

}  // namespace

RowChunks::RowChunks(const data::Features& x, std::size_t all_rows, const comm::Communicator& comm)
    : rows(all_rows), tile_rows(x.tile_rows()) {
  tiles_per_chunk = std::max<std::size_t>(1, std::min(chunk_rows / tile_rows, (tiles() + 1) / 2));
  if (x.has_wide_columns()) {
    const std::size_t chunks =
        std::clamp(rows * x.groups() / (adds_per_entry * x.codes()), min_lookup_chunks, max_lookup_chunks);
    tiles_per_chunk = std::max(tiles_per_chunk, (tiles() + chunks - 1) / chunks);
  }
  share = comm::share_evenly(comm, (tiles() + tiles_per_chunk - 1) / tiles_per_chunk);
}

ChunkRows ResidentRows::chunk(TileRange range, StepObjective objective) const {
  const std::size_t t = x->tile_rows(), first = range.first;
  const float* w = weights.data() + first * t;
  const bool loss = objective == StepObjective::loss;
  const float* fitted = loss ? targets.data() + first * target_columns * t : residuals.data() + first * outputs * t;
  const float* start = loss ? scores.data() + first * outputs * t : nullptr;
  const std::size_t last = range.last == x->tiles() ? pad_to_line(x->rows() - (range.last - 1) * t) : t;
  const std::size_t tiles = range.last - range.first;
  return {.first = {.x = x->stored().tile(first),
                    .targets = fitted,
                    .scores = start,
                    .weights = w,
                    .rows = tiles == 1 ? last : t,
                    .first_row = first * t},
          .tiles = tiles,
          .last_tile_rows = last,
          .tile_rows = t,
          .x_columns = x->stored().cols(),
          .target_columns = loss ? target_columns : outputs,
          .outputs = outputs,
          // Computed from the rows of all ranks: it selects kernels, whose rounding must not depend on the number of
          // ranks.
          .exceeds_l2 = chunks.tiles() * t * x->stored().cols() * sizeof(float) > data::l2_bytes(),
          .exceeds_l3 = data::exceeds_caches(*x)};
}

void ResidentRows::select(std::span<const std::size_t> rows, comm::Communicator& comm, data::Features& selected,
                          ResidentRows& result) const {
  const RowChunks view(*x, rows.size(), comm);
  if (result.x && result.chunks.row_share().count() != view.row_share().count())
    result = {};  // a different number of rows: discard the old arrays
  result.x = &selected;
  result.chunks = view;
  result.outputs = outputs;
  result.target_columns = target_columns;
  if (comm.size() == 1)
    select_local(*this, rows, selected, result);
  else
    exchange_rows(*this, rows, comm, selected, result);
  // The memory may contain rows of an earlier call, whose weights must become 0.
  std::fill(result.weights.begin() + static_cast<std::ptrdiff_t>(selected.rows()), result.weights.end(), 0.0f);
  sum_weights(result, comm);
  if (!(result.total_weight > 0.0)) result.total_weight = 1.0;  // all weights are 0: makes means 0 instead of 0 / 0
}

ResidentRows make_resident_rows(const TrainingProblem& problem) {
  const data::Dataset& data = problem.dataset;
  ResidentRows result;
  result.x = &data.features;
  result.chunks = RowChunks(data.features, data.rows(), problem.comm);
  result.outputs = problem.outputs;
  result.target_columns = data.targets.cols();
  const std::size_t t = data.features.tile_rows(), tiles = data.features.tiles(), columns = result.target_columns;
  result.targets.resize(tiles * columns * t);
  result.weights.resize(tiles * t);
  for (std::size_t r = 0; r < data.features.rows(); ++r) {
    result.weights[r] = static_cast<float>(data.weights[data.first_row + r]);
    for (std::size_t c = 0; c < columns; ++c)
      result.targets[(r / t * columns + c) * t + r % t] = static_cast<float>(data.targets(data.first_row + r, c));
  }
  sum_weights(result, problem.comm);
  return result;
}

}  // namespace accrete::backend
