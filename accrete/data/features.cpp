#include "accrete/data/features.hpp"

#include <algorithm>
#include <utility>

#include "accrete/data/encoder/ramp_kernel.hpp"

namespace accrete::data {

namespace {

void compute(const FeatureSource& by, const float* x, std::size_t count, float* values) {
  if (by.is_ramp()) return ramp_column(by.ramp, x, count, values);
  for (std::size_t i = 0; i < count; ++i) values[i] = simple_feature(by, x[i]);
}

/// A ramp has two codes, the knot before it and the middle; a level has one.
std::size_t count_codes(std::span<const FeatureSource> sources) {
  std::size_t codes = 1;
  for (const FeatureSource& source : sources)
    codes += source.kind == FeatureKind::grid_ramp ? 2 : source.kind == FeatureKind::level ? 1 : 0;
  return codes;
}

}  // namespace

Features::Features(core::TiledMatrix stored, std::vector<FeatureSource> sources, std::vector<std::size_t> group_starts,
                   std::shared_ptr<const std::vector<NumberGrid>> grids)
    : stored_(std::move(stored)),
      cols_(sources.size()),
      codes_(count_codes(sources)),
      sources_(std::make_shared<const std::vector<FeatureSource>>(std::move(sources))),
      grids_(std::move(grids)) {
  if (!group_starts.empty()) group_starts_ = std::make_shared<const std::vector<std::size_t>>(std::move(group_starts));
}

Features::Features(Features dense, SparseRows sparse, const std::vector<bool>& is_sparse)
    : stored_(std::move(dense.stored_)),
      cols_(is_sparse.size()),
      codes_(dense.codes_),
      grids_(std::move(dense.grids_)) {
  std::vector<FeatureSource> sources;
  std::vector<std::size_t> starts;
  sources.reserve(cols_);
  std::size_t columns = 0, next = 0, group = 0;  // sparse columns, dense features and dense groups so far
  for (std::size_t f = 0; f < cols_; ++f) {
    if (!is_sparse[f]) {
      const bool starts_group =
          dense.group_starts_ && group < dense.group_starts_->size() && (*dense.group_starts_)[group] == next;
      if (starts_group) ++group, starts.push_back(f);
      sources.push_back(dense.source(next++));
    } else {
      if (dense.group_starts_) starts.push_back(f);
      sources.push_back({.column = columns++, .kind = FeatureKind::sparse});
    }
  }
  sources_ = std::make_shared<const std::vector<FeatureSource>>(std::move(sources));
  if (dense.group_starts_) group_starts_ = std::make_shared<const std::vector<std::size_t>>(std::move(starts));
  SparseRows by_column = sparse.transposed();
  sparse_ = SparseBlock{std::move(sparse), std::move(by_column)};
}

std::vector<std::size_t> Features::features_of(std::span<const std::size_t> groups) const {
  if (!group_starts_) return {groups.begin(), groups.end()};
  std::vector<std::size_t> features;
  for (const std::size_t g : groups) {
    const std::size_t end = g + 1 < group_starts_->size() ? (*group_starts_)[g + 1] : cols_;
    for (std::size_t f = (*group_starts_)[g]; f < end; ++f) features.push_back(f);
  }
  return features;
}

std::vector<FeatureSource> Features::sources(std::span<const std::size_t> features) const {
  std::vector<FeatureSource> result;
  result.reserve(features.size());
  for (const std::size_t f : features) result.push_back(source(f));
  return result;
}

float Features::at(std::size_t row, std::size_t feature) const {
  const FeatureSource from = source(feature);
  if (from.is_sparse()) return sparse_->by_row.at(row, from.column);
  float value = stored_.at(row, from.column);
  if (from.is_computed()) compute(from, &value, 1, &value);
  return value;
}

const float* Features::column(std::size_t tile, std::size_t feature, float* scratch) const {
  const FeatureSource from = source(feature);
  if (from.is_sparse()) {
    const SparseRows& columns = sparse_->by_column;
    const std::size_t first = columns.starts[from.column], count = columns.starts[from.column + 1] - first;
    std::fill_n(scratch, tile_rows(), 0.0f);
    for_entries_between(std::span(columns.indices).subspan(first, count),
                        std::span(columns.values).subspan(first, count), tile * tile_rows(), (tile + 1) * tile_rows(),
                        [&](std::size_t i, float x) { scratch[i] = x; });
    return scratch;
  }
  const float* values = stored_.tile(tile) + from.column * tile_rows();
  if (!from.is_computed()) return values;
  compute(from, values, tile_rows(), scratch);
  return scratch;
}

void Features::select_rows(std::span<const std::size_t> rows, Features& result) const {
  stored_.select_rows(rows, result.stored_);
  result.cols_ = cols_;
  result.codes_ = codes_;
  result.sources_ = sources_;
  result.group_starts_ = group_starts_;
  result.grids_ = grids_;
  result.sparse_.reset();
  if (!sparse_) return;
  SparseRows selected = sparse_->by_row.select(rows);
  SparseRows by_column = selected.transposed();
  result.sparse_ = SparseBlock{std::move(selected), std::move(by_column)};
}

Features Features::select_rows(std::span<const std::size_t> rows) const {
  Features result;
  select_rows(rows, result);
  return result;
}

std::size_t count_computed(std::span<const FeatureSource> sources) {
  return static_cast<std::size_t>(std::ranges::count_if(sources, &FeatureSource::is_computed));
}

}  // namespace accrete::data
