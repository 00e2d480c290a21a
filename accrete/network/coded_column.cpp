#include "accrete/network/coded_column.hpp"

#include <algorithm>
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

double rise(const data::Ramp& ramp) {
  return static_cast<double>(ramp.high) - static_cast<double>(ramp.low);
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

template <class Weight>
void CodedColumn::tabulate(const TableShape& shape, const Weight* weights, float* table) const {
  is_category() ? tabulate_levels(shape, weights, table) : tabulate_number(shape, weights, table);
}

template void CodedColumn::tabulate(const TableShape&, const float*, float*) const;
template void CodedColumn::tabulate(const TableShape&, const double*, float*) const;

template <class Weight>
void CodedColumn::tabulate_levels(const TableShape& shape, const Weight* weights, float* table) const {
  for (std::size_t j = 0; j < shape.units; ++j, weights += shape.features) {
    const Weight* w = weights + first_;
    float* entry = table + j;
    double base = 0.0;
    for (std::size_t l = 0; l < levels_.size(); ++l)
      base += static_cast<double>(w[l]) * static_cast<double>(levels_[l].low);
    for (std::size_t l = 0; l < levels_.size(); ++l, entry += shape.width)
      *entry = static_cast<float>(base + static_cast<double>(w[l]) * rise(levels_[l]));
    entry[0] = static_cast<float>(base);
    entry[shape.width] = static_cast<float>(has_gap_flag_ ? base + static_cast<double>(w[levels_.size()]) : base);
  }
}

/// At position 2m, ramps before m are at their high end and the others at their low end; at 2m + 1, ramp m is halfway.
template <class Weight>
void CodedColumn::tabulate_number(const TableShape& shape, const Weight* weights, float* table) const {
  const std::size_t count = ramps_.size();
  for (std::size_t j = 0; j < shape.units; ++j, weights += shape.features) {
    const Weight* w = weights + first_ + !numbers_.empty();
    const auto slope = numbers_.empty() ? 0.0 : static_cast<double>(weights[first_]);
    const auto line = [&](std::size_t p) { return numbers_.empty() ? 0.0 : slope * numbers_[p]; };
    float* entry = table + j;
    double base = 0.0;
    for (std::size_t m = 0; m < count; ++m) base += static_cast<double>(w[m]) * static_cast<double>(ramps_[m].low);
    for (std::size_t m = 0; m < count; ++m, entry += 2 * shape.width) {
      const double step = static_cast<double>(w[m]) * rise(ramps_[m]);
      entry[0] = static_cast<float>(base + line(2 * m));
      entry[shape.width] = static_cast<float>(base + 0.5 * step + line(2 * m + 1));
      base += step;
    }
    entry[0] = static_cast<float>(base + line(2 * count));
    entry[shape.width] = 0.0f;
    entry[2 * shape.width] = has_gap_flag_ ? static_cast<float>(w[count]) : 0.0f;
  }
}

void CodedColumn::weight_gradient(const TableShape& shape, const double* sums, double* gradient) const {
  is_category() ? level_gradient(shape, sums, gradient) : number_gradient(shape, sums, gradient);
}

void CodedColumn::level_gradient(const TableShape& shape, const double* sums, double* gradient) const {
  const std::size_t count = levels_.size(), width = shape.width;
  for (std::size_t j = 0; j < shape.units; ++j) {
    const double* entry = sums + j;
    double* to = gradient + j * shape.features + first_;
    double total = 0.0;
    for (std::size_t l = 0; l < count + 2; ++l) total += entry[l * width];
    for (std::size_t l = 0; l < count; ++l)
      to[l] = static_cast<double>(levels_[l].low) * total + rise(levels_[l]) * entry[l * width];
    if (has_gap_flag_) to[count] = entry[(count + 1) * width];
  }
}

void CodedColumn::number_gradient(const TableShape& shape, const double* sums, double* gradient) const {
  const std::size_t count = ramps_.size(), width = shape.width;
  for (std::size_t j = 0; j < shape.units; ++j) {
    const double* entry = sums + j;
    double* to = gradient + j * shape.features + first_;
    double total = 0.0, line = 0.0;
    for (std::size_t p = 0; p < known_; ++p) {
      total += entry[p * width];
      if (!numbers_.empty()) line += numbers_[p] * entry[p * width];
    }
    if (!numbers_.empty()) *to++ = line;
    double above = entry[2 * count * width];  // over the rows above the ramp
    for (std::size_t m = count; m-- > 0;) {
      const double middle = entry[(2 * m + 1) * width];
      to[m] = static_cast<double>(ramps_[m].low) * total + rise(ramps_[m]) * (0.5 * middle + above);
      above += middle + entry[2 * m * width];
    }
    if (has_gap_flag_) to[count] = entry[(known_ + 1) * width];
  }
}

}  // namespace accrete::network
