#include "accrete/data/encoder/feature_writer.hpp"

#include <algorithm>
#include <cmath>

#include "accrete/core/overloaded.hpp"
#include "accrete/data/encoder/ramp_kernel.hpp"
#include "accrete/data/encoder/standardise_kernel.hpp"

namespace accrete::data {
namespace {

/// Writes many raw values column-wise: stored column c of the group goes to values + c * stride.
struct ColumnWriter {
  FeatureStorage storage;
  const float* x;
  std::size_t count;
  float* values;
  std::size_t stride;

  bool operator()(const Standardised& by) const { return standardise_column(by, x, count, values); }

  bool operator()(const Bins& by) const {
    if (storage == FeatureStorage::compact)
      std::copy_n(x, count, values);
    else
      for (std::size_t j = 0; j < by.ramps.size(); ++j) ramp_column(by.ramps[j], x, count, values + j * stride);
    return true;
  }

  /// Level 0 is written last, row by row, because its column may alias x.
  bool operator()(const OneHot& by) const {
    const std::size_t levels = by.levels.size();
    if (is_coded(by, storage)) {
      std::copy_n(x, count, values);
      return true;
    }
    for (std::size_t l = 1; l < levels; ++l) std::fill_n(values + l * stride, count, by.levels[l].off);
    for (std::size_t i = 0; i < count; ++i) {
      const float level = x[i];
      values[i] = by.levels[0].off;
      if (!(level >= 0.0f && level < static_cast<float>(levels))) continue;
      const auto l = static_cast<std::size_t>(level);
      if (static_cast<float>(l) == level) values[l * stride + i] = by.levels[l].on;
    }
    return true;
  }

  bool operator()(const GapFlag&) const {
    flag_missing(x, count, values);
    return true;
  }
};

/// Writes the features of one raw value; those of a group are contiguous.
struct RowWriter {
  float x;
  float* values;

  bool operator()(const Standardised& by) const { return standardise_row(&by.mean, &by.inverse, &x, 1, values); }

  bool operator()(const Bins& by) const {
    ramp_row(by.ramps, x, values);
    return true;
  }

  bool operator()(const OneHot& by) const {
    for (std::size_t l = 0; l < by.levels.size(); ++l)
      values[l] = x == static_cast<float>(l) ? by.levels[l].on : by.levels[l].off;
    return true;
  }

  bool operator()(const GapFlag&) const {
    *values = std::isnan(x) ? 1.0f : 0.0f;
    return true;
  }
};

/// Replaces numbers by grid positions; missing values stay. Returns false for an infinite number.
bool write_positions(const NumberGrid& grid, const float* x, std::size_t count, float* values) {
  bool finite = true;
  for (std::size_t i = 0; i < count; ++i) {
    finite = finite && !std::isinf(x[i]);
    values[i] = std::isnan(x[i]) ? x[i] : static_cast<float>(grid.position_of(x[i]));
  }
  return finite;
}

}  // namespace

std::size_t stored_columns(const FeatureGroup& group, FeatureStorage storage) {
  if (storage == FeatureStorage::expanded) return group.count;
  return std::visit(
      core::Overloaded{[&](const Standardised&) { return group.count; }, [&](const Bins&) { return std::size_t{1}; },
                       [&](const OneHot& by) { return is_coded(by, storage) ? 1 : group.count; },
                       [&](const GapFlag&) { return group.count; }},
      group.encoding);
}

std::size_t stored_columns(const ColumnEncoding& column, FeatureStorage storage) {
  if (storage == FeatureStorage::expanded) return column.width();
  if (is_single_column(column, storage)) return 1;
  std::size_t columns = 0;
  for (const FeatureGroup& group : column.groups()) columns += stored_columns(group, storage);
  return columns;
}

/// Groups are written last to first because the first one may overwrite x.
bool write_features(const ColumnEncoding& column, FeatureStorage storage, const float* x, std::size_t count,
                    float* values, std::size_t stride) {
  if (is_single_column(column, storage)) {
    if (const Bins* bins = column.get<Bins>()) return write_positions(bins->grid, x, count, values);
    std::copy_n(x, count, values);
    return true;
  }
  values += stored_columns(column, storage) * stride;
  bool finite = true;
  for (auto group = column.groups().rbegin(); group != column.groups().rend(); ++group) {
    values -= stored_columns(*group, storage) * stride;
    finite = std::visit(ColumnWriter{storage, x, count, values, stride}, group->encoding) && finite;
  }
  return finite;
}

bool write_row(const ColumnEncoding& column, float x, float* values) {
  bool finite = true;
  for (const FeatureGroup& group : column.groups()) {
    finite = std::visit(RowWriter{x, values}, group.encoding) && finite;
    values += group.count;
  }
  return finite;
}

}  // namespace accrete::data
