#include "accrete/data/features.hpp"

#include <algorithm>
#include <utility>

#include "accrete/data/ramp_kernel.hpp"

namespace accrete::data {

namespace {

void compute(const FeatureSource& by, const float* x, std::size_t count, float* values) {
  if (by.is_ramp()) return ramp_column(by.ramp, x, count, values);
  for (std::size_t i = 0; i < count; ++i) values[i] = simple_feature(by, x[i]);
}

}  // namespace

Features::Features(core::TiledMatrix stored, std::vector<FeatureSource> sources, std::vector<std::size_t> group_starts,
                   std::shared_ptr<const std::vector<NumberGrid>> grids)
    : stored_(std::move(stored)),
      cols_(sources.size()),
      sources_(std::make_shared<const std::vector<FeatureSource>>(std::move(sources))),
      grids_(std::move(grids)) {
  if (!group_starts.empty()) group_starts_ = std::make_shared<const std::vector<std::size_t>>(std::move(group_starts));
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
  float value = stored_.at(row, from.column);
  if (from.is_computed()) compute(from, &value, 1, &value);
  return value;
}

const float* Features::column(std::size_t tile, std::size_t feature, float* scratch) const {
  const FeatureSource from = source(feature);
  const float* values = stored_.tile(tile) + from.column * tile_rows();
  if (!from.is_computed()) return values;
  compute(from, values, tile_rows(), scratch);
  return scratch;
}

void Features::select_rows(std::span<const std::size_t> rows, Features& result) const {
  stored_.select_rows(rows, result.stored_);
  result.cols_ = cols_;
  result.sources_ = sources_;
  result.group_starts_ = group_starts_;
  result.grids_ = grids_;
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
