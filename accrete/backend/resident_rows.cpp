#include "accrete/backend/resident_rows.hpp"

#include <algorithm>

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

}  // namespace

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
          .exceeds_l2 = data::exceeds_l2(*x),
          .exceeds_l3 = data::exceeds_caches(*x)};
}

void ResidentRows::select(std::span<const std::size_t> rows, const data::Features& selected,
                          ResidentRows& result) const {
  const std::size_t t = x->tile_rows();
  if (result.x && result.weights.size() != selected.tiles() * t)
    result = {};  // another number of rows: discard the old arrays
  result.x = &selected;
  result.outputs = outputs;
  result.target_columns = target_columns;
  select_rows(targets, {target_columns, t}, rows, result.targets);
  select_rows(weights, {1, t}, rows, result.weights);
  select_rows(scores, {outputs, t}, rows, result.scores);
  select_rows(residuals, {outputs, t}, rows, result.residuals);
  // The memory may hold more rows from an earlier call; their weights must be 0.
  std::fill(result.weights.begin() + static_cast<std::ptrdiff_t>(rows.size()), result.weights.end(), 0.0f);
  result.total_weight = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) result.total_weight += static_cast<double>(result.weights[i]);
  if (!(result.total_weight > 0.0)) result.total_weight = 1.0;  // all weights are 0: means become 0 instead of 0 / 0
}

ResidentRows make_resident_rows(const TrainingProblem& problem) {
  const data::Dataset& data = problem.dataset;
  ResidentRows result;
  result.x = &data.features;
  result.outputs = problem.outputs;
  result.target_columns = data.targets.cols();
  const std::size_t t = data.features.tile_rows(), tiles = data.features.tiles(), columns = result.target_columns;
  result.targets.resize(tiles * columns * t);
  result.weights.resize(tiles * t);
  for (std::size_t r = 0; r < data.rows(); ++r) {
    result.weights[r] = static_cast<float>(data.weights[r]);
    result.total_weight += result.weights[r];
    for (std::size_t c = 0; c < columns; ++c)
      result.targets[(r / t * columns + c) * t + r % t] = static_cast<float>(data.targets(r, c));
  }
  return result;
}

}  // namespace accrete::backend
