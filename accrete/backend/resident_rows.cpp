#include "accrete/backend/resident_rows.hpp"

#include <algorithm>

#include "accrete/data/neighbours.hpp"

namespace accrete::backend {
namespace {

/// `to` becomes the listed rows of `from`, an array of columns x tile_rows to a tile.
void select_from(const core::AlignedVector<float>& from, core::TileLayout layout, std::span<const std::size_t> rows,
                 core::AlignedVector<float>& to) {
  if (from.empty()) return;
  to.resize((rows.size() + layout.tile_rows - 1) / layout.tile_rows * layout.columns * layout.tile_rows);
  core::gather_rows(from.data(), layout, rows, to.data());
}

}  // namespace

ChunkRows ResidentRows::chunk(TileRange range, Fit fit) const {
  const std::size_t t = x->tile_rows(), first = range.first;
  const float* w = weights.data() + first * t;
  const bool loss = fit == Fit::loss;
  const float* to = loss ? targets.data() + first * target_columns * t : residuals.data() + first * outputs * t;
  const float* from = loss ? base.data() + first * outputs * t : nullptr;
  const std::size_t last = range.last == x->tiles() ? padded(x->rows() - (range.last - 1) * t) : t;
  const std::size_t tiles = range.last - range.first;
  return {{x->stored().tile(first), to, from, w, tiles == 1 ? last : t},
          tiles,
          last,
          t,
          x->stored().cols(),
          loss ? target_columns : outputs,
          outputs,
          data::are_far(*x),
          data::are_in_memory(*x)};
}

void ResidentRows::select(std::span<const std::size_t> rows, const data::Features& selected,
                          ResidentRows& result) const {
  const std::size_t t = x->tile_rows();
  if (result.x && result.weights.size() != selected.tiles() * t)
    result = {};  // other rows than last time: no leftovers
  result.x = &selected;
  result.outputs = outputs;
  result.target_columns = target_columns;
  select_from(targets, {target_columns, t}, rows, result.targets);
  select_from(weights, {1, t}, rows, result.weights);
  select_from(base, {outputs, t}, rows, result.base);
  select_from(residuals, {outputs, t}, rows, result.residuals);
  // A batch may be shorter than the one before it in the same memory.
  std::fill(result.weights.begin() + static_cast<std::ptrdiff_t>(rows.size()), result.weights.end(), 0.0f);
  result.total_weight = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) result.total_weight += static_cast<double>(result.weights[i]);
  if (!(result.total_weight > 0.0)) result.total_weight = 1.0;  // a draw without weight: its sums are 0, not 0 / 0
}

ResidentRows rows_of(const Source& source) {
  const data::Dataset& data = source.dataset;
  ResidentRows result;
  result.x = &data.features;
  result.outputs = source.outputs;
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
