#include "accrete/network/lookup.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace accrete::network {
namespace {

/// Columns with fewer features are as fast in the dense kernels.
constexpr std::size_t min_table_ramps = 12, min_table_levels = 4;
/// Codes have 16 bits.
constexpr std::size_t max_entries = std::numeric_limits<std::uint16_t>::max();

/// True if each ramp ends before the next starts, up to rounding.
bool are_disjoint(std::span<const data::Ramp> ramps) {
  for (std::size_t m = 1; m < ramps.size(); ++m) {
    const float width = (ramps[m - 1].high - ramps[m - 1].low) / ramps[m - 1].slope;
    if (!(ramps[m].knot - ramps[m - 1].knot >= 0.999f * width)) return false;
  }
  return true;
}

/// True if the levels are 0, 1, 2, ..., so that a code is an index.
bool are_all_levels(std::span<const data::Ramp> levels) {
  for (std::size_t l = 0; l < levels.size(); ++l)
    if (levels[l].knot != static_cast<float>(l)) return false;
  return true;
}

void encode_levels(const float* x, std::size_t count, std::size_t levels, std::uint16_t* codes) {
  const auto none = static_cast<float>(levels);
  for (std::size_t r = 0; r < count; ++r)
    codes[r] = static_cast<std::uint16_t>(x[r] >= 0.0f && x[r] < none ? x[r] : none);
}

}  // namespace

/// Bins: one entry below the first ramp, one per ramp (up to the start of the next), and one for missing values.
/// Category: one per level, and one for missing values and unseen levels.
std::size_t LookupLayer::TableColumn::entries() const {
  return ramps.size() + (kind == data::FeatureKind::ramp ? 2 : 1);
}

void LookupLayer::build(std::span<const data::FeatureSource> features, std::size_t units) {
  units_ = units;
  features_ = features.size();
  std::vector<TableColumn> candidates;
  dense_.clear();
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (!features[i].is_computed()) {
      dense_.push_back(i);
      continue;
    }
    if (candidates.empty() || candidates.back().stored_column != features[i].column ||
        candidates.back().first_feature + candidates.back().ramps.size() != i)
      candidates.push_back({features[i].column, features[i].kind, i, {}, {}});
    candidates.back().ramps.push_back(features[i].ramp);
  }
  create_tables(candidates);
}

void LookupLayer::create_tables(std::vector<TableColumn>& candidates) {
  columns_.clear();
  layout_.clear();
  const std::size_t width = (units_ + lookup_units - 1) / lookup_units * lookup_units;
  std::size_t size = 0;
  for (TableColumn& column : candidates) {
    const bool is_ramp = column.kind == data::FeatureKind::ramp;
    const bool fits = is_ramp ? column.ramps.size() >= min_table_ramps && are_disjoint(column.ramps)
                              : column.ramps.size() >= min_table_levels && are_all_levels(column.ramps);
    if (!fits || column.entries() > max_entries) {
      for (std::size_t m = 0; m < column.ramps.size(); ++m) dense_.push_back(column.first_feature + m);
      continue;
    }
    if (is_ramp)
      for (const data::Ramp& ramp : column.ramps) column.knots.push_back(ramp.knot);
    layout_.push_back({size, is_ramp});
    size += column.entries() * width * (is_ramp ? 2 : 1);
    columns_.push_back(std::move(column));
  }
  std::ranges::sort(dense_);
  values_.assign(size, 0.0f);
  tables_ = {
      .columns = columns_.size(), .width = width, .size = size, .layout = layout_.data(), .values = values_.data()};
}

void LookupLayer::encode_tile(const float* tile, std::size_t tile_rows, std::uint16_t* codes, float* rises) const {
  for (const TableColumn& column : columns_) {
    const float* x = tile + column.stored_column * tile_rows;
    if (column.kind == data::FeatureKind::level) {
      encode_levels(x, tile_rows, column.ramps.size(), codes);
    } else {
      std::fill_n(codes, tile_rows, std::uint16_t{0});
      for (const float knot : column.knots)
        for (std::size_t r = 0; r < tile_rows; ++r) codes[r] += x[r] >= knot;
      for (std::size_t r = 0; r < tile_rows; ++r) {
        rises[r] = 0.0f;
        if (std::isnan(x[r])) {
          codes[r] = static_cast<std::uint16_t>(column.ramps.size() + 1);
        } else if (codes[r] > 0) {
          const data::Ramp& ramp = column.ramps[codes[r] - 1u];
          rises[r] = std::clamp((x[r] - ramp.knot) * ramp.slope, 0.0f, ramp.high - ramp.low);
        }
      }
    }
    codes += tile_rows, rises += tile_rows;
  }
}

void LookupLayer::set_weights(std::span<const double> weights) {
  compute_tables(weights);
}

void LookupLayer::set_weights(std::span<const float> weights) {
  compute_tables(weights);
}

template <class Weight>
void LookupLayer::compute_tables(std::span<const Weight> weights) {
  const std::size_t width = tables_.width;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const TableColumn& column = columns_[c];
    const std::size_t count = column.ramps.size();
    for (std::size_t j = 0; j < units_; ++j) {
      const Weight* w = weights.data() + j * features_ + column.first_feature;
      float* entry = values_.data() + layout_[c].start + j;
      double base = 0.0;
      for (std::size_t m = 0; m < count; ++m)
        base += static_cast<double>(w[m]) * static_cast<double>(column.ramps[m].low);
      if (column.kind == data::FeatureKind::level) {
        for (std::size_t m = 0; m < count; ++m, entry += width)
          *entry = static_cast<float>(base + static_cast<double>(w[m]) *
                                                 static_cast<double>(column.ramps[m].high - column.ramps[m].low));
        *entry = static_cast<float>(base);
        continue;
      }
      *entry = static_cast<float>(base);
      for (std::size_t m = 0; m < count; ++m) {
        entry += 2 * width;
        entry[0] = static_cast<float>(base);
        entry[width] = static_cast<float>(w[m]);
        base += static_cast<double>(w[m]) * static_cast<double>(column.ramps[m].high - column.ramps[m].low);
      }
    }
  }
}

void LookupLayer::weight_gradient(const double* sums, double* gradient) const {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const TableColumn& column = columns_[c];
    double* to = gradient + column.first_feature;
    if (column.kind == data::FeatureKind::level)
      level_gradient(column, sums + layout_[c].start, to);
    else
      ramp_gradient(column, sums + layout_[c].start, to);
  }
}

void LookupLayer::level_gradient(const TableColumn& column, const double* sums, double* gradient) const {
  const std::size_t count = column.ramps.size(), width = tables_.width;
  for (std::size_t j = 0; j < units_; ++j) {
    const double* entry = sums + j;
    double total = 0.0;
    for (std::size_t m = 0; m <= count; ++m) total += entry[m * width];
    for (std::size_t m = 0; m < count; ++m) {
      const data::Ramp& level = column.ramps[m];
      gradient[j * features_ + m] =
          static_cast<double>(level.low) * total + static_cast<double>(level.high - level.low) * entry[m * width];
    }
  }
}

void LookupLayer::ramp_gradient(const TableColumn& column, const double* sums, double* gradient) const {
  const std::size_t count = column.ramps.size(), width = tables_.width, stride = 2 * width;
  for (std::size_t j = 0; j < units_; ++j) {
    const double* entry = sums + j;
    double total = 0.0, above = 0.0;  // over rows without a missing value; over rows above the ramp
    for (std::size_t m = 0; m <= count; ++m) total += entry[m * stride];
    for (std::size_t m = count; m-- > 0;) {
      const data::Ramp& ramp = column.ramps[m];
      const double on_ramp = entry[(m + 1) * stride + width];
      gradient[j * features_ + m] =
          static_cast<double>(ramp.low) * total + static_cast<double>(ramp.high - ramp.low) * above + on_ramp;
      above += entry[(m + 1) * stride];
    }
  }
}

}  // namespace accrete::network
