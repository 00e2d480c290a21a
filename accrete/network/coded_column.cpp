#include "accrete/network/coded_column.hpp"

#include <limits>

namespace accrete::network {
namespace {

using data::FeatureKind;

constexpr std::size_t max_codes = std::numeric_limits<std::uint16_t>::max();

/// True if ramp or level m begins at code step * m, which means that none is missing.
bool are_complete(std::span<const data::Ramp> ramps, std::size_t step) {
  for (std::size_t m = 0; m < ramps.size(); ++m)
    if (ramps[m].knot != static_cast<float>(step * m)) return false;
  return !ramps.empty();
}

}  // namespace

std::optional<CodedColumn> CodedColumn::make(std::span<const data::FeatureSource> features, std::size_t first) {
  CodedColumn column;
  column.stored_column_ = features.front().column;
  column.first_ = first;
  column.has_gap_flag_ = features.back().kind == FeatureKind::gap;
  const bool has_number = features.front().kind == FeatureKind::grid_number;
  for (const data::FeatureSource& feature : features) {
    if (feature.kind == FeatureKind::level) column.levels_.push_back(feature.ramp);
    if (feature.kind == FeatureKind::grid_ramp) column.ramps_.push_back(feature.ramp);
  }
  const std::size_t levels = column.levels_.size(), ramps = column.ramps_.size();
  if (levels + ramps + has_number + column.has_gap_flag_ != features.size()) return std::nullopt;
  if (!(ramps == 0 && are_complete(column.levels_, 1)) && !(levels == 0 && are_complete(column.ramps_, 2)))
    return std::nullopt;
  column.known_ = levels > 0 ? levels : 2 * ramps + 1;
  if (column.codes() > max_codes) return std::nullopt;
  for (std::size_t p = 0; has_number && p < column.known_; ++p)
    column.numbers_.push_back(static_cast<double>(simple_feature(features.front(), static_cast<float>(p))));
  return column;
}

void CodedColumn::encode(const float* tile, std::size_t tile_rows, std::uint16_t* codes) const {
  const float* x = tile + stored_column_ * tile_rows;
  const auto unseen = static_cast<float>(known_), missing = unseen + 1.0f;
  for (std::size_t r = 0; r < tile_rows; ++r)
    codes[r] = static_cast<std::uint16_t>(x[r] >= 0.0f && x[r] < unseen ? x[r] : x[r] != x[r] ? missing : unseen);
}

CodedFeatures CodedColumn::features() const {
  return {.first = first_, .levels = levels_, .ramps = ramps_, .numbers = numbers_, .has_gap_flag = has_gap_flag_};
}

void CodedColumn::tabulate(const TableShape& shape, const float* weights, float* table) const {
  tabulate_column(features(), shape, weights, table);
}

void CodedColumn::tabulate(const TableShape& shape, const double* weights, float* table) const {
  tabulate_column(features(), shape, weights, table);
}

void CodedColumn::weight_gradient(const TableShape& shape, const double* sums, double* gradient) const {
  column_gradient(features(), shape, sums, gradient);
}

}  // namespace accrete::network
