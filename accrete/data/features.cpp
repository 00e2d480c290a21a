#include "accrete/data/features.hpp"

#include <algorithm>
#include <utility>

#include "accrete/data/ramp_kernel.hpp"

namespace accrete::data {

Features::Features(core::TiledMatrix stored, std::vector<FeatureSource> sources)
    : stored_(std::move(stored)),
      cols_(sources.size()),
      sources_(std::make_shared<const std::vector<FeatureSource>>(std::move(sources))) {}

std::vector<FeatureSource> Features::sources(std::span<const std::size_t> features) const {
  std::vector<FeatureSource> result;
  result.reserve(features.size());
  for (const std::size_t f : features) result.push_back(source(f));
  return result;
}

float Features::at(std::size_t row, std::size_t feature) const {
  const FeatureSource from = source(feature);
  float value = stored_.at(row, from.column);
  if (from.ramped) ramp_column(from.ramp, &value, 1, &value);
  return value;
}

const float* Features::column(std::size_t tile, std::size_t feature, float* scratch) const {
  const FeatureSource from = source(feature);
  const float* values = stored_.tile(tile) + from.column * tile_rows();
  if (!from.ramped) return values;
  ramp_column(from.ramp, values, tile_rows(), scratch);
  return scratch;
}

void Features::select_rows(std::span<const std::size_t> rows, Features& result) const {
  stored_.select_rows(rows, result.stored_);
  result.cols_ = cols_;
  result.sources_ = sources_;
}

Features Features::select_rows(std::span<const std::size_t> rows) const {
  Features result;
  select_rows(rows, result);
  return result;
}

std::size_t count_ramps(std::span<const FeatureSource> sources) {
  return static_cast<std::size_t>(std::ranges::count(sources, true, &FeatureSource::ramped));
}

}  // namespace accrete::data
