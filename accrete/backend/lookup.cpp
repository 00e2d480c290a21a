#include "accrete/backend/lookup.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace accrete::backend {
namespace {

/// Ramps of a column below which products are as fast.
constexpr std::size_t worth_a_table = 12;

constexpr std::size_t entries_of(std::size_t ramps) {
  return ramps + 2;  // before the first, on each or between it and the next, and for a number that is missing
}

/// Whether each ramp has come to its end where the next begins, but for rounding.
bool one_after_another(std::span<const data::Ramp> ramps) {
  for (std::size_t m = 1; m < ramps.size(); ++m) {
    const float width = (ramps[m - 1].high - ramps[m - 1].low) / ramps[m - 1].slope;
    if (!(ramps[m].knot - ramps[m - 1].knot >= 0.999f * width)) return false;
  }
  return true;
}

}  // namespace

void Lookup::look_at(const data::Features& x, std::span<const data::FeatureSource> features, std::size_t units,
                     core::Workers& workers) {
  units_ = units;
  features_ = features.size();
  tile_rows_ = x.tile_rows();
  std::vector<Column> columns;
  dense_.clear();
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (!features[i].ramped) {
      dense_.push_back(i);
      continue;
    }
    if (columns.empty() || columns.back().stored != features[i].column) columns.push_back({features[i].column, {}, {}});
    columns.back().places.push_back(i);
    columns.back().ramps.push_back(features[i].ramp);
  }
  take(columns);
  if (columns_.empty()) return;
  codes_.resize(x.tiles() * columns_.size() * tile_rows_);
  rises_.resize(codes_.size());
  workers.run(x.tiles(), [&](std::size_t tile) { find_codes(x, tile); });
}

void Lookup::take(std::vector<Column>& columns) {
  columns_.clear();
  starts_.clear();
  std::size_t entries = 0;
  for (Column& column : columns) {
    if (column.ramps.size() < worth_a_table || !one_after_another(column.ramps)) {
      dense_.insert(dense_.end(), column.places.begin(), column.places.end());
      continue;
    }
    starts_.push_back(static_cast<std::uint32_t>(entries));
    entries += entries_of(column.ramps.size());
    columns_.push_back(std::move(column));
  }
  std::ranges::sort(dense_);
  const std::size_t width = (units_ + lookup_units - 1) / lookup_units * lookup_units;
  values_.assign(entries * 2 * width, 0.0f);
  tables_ = {columns_.size(), width, entries, starts_.data(), values_.data()};
}

void Lookup::find_codes(const data::Features& x, std::size_t tile) {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Column& column = columns_[c];
    const float* numbers = x.stored().tile(tile) + column.stored * tile_rows_;
    const std::size_t at = (tile * columns_.size() + c) * tile_rows_;
    std::uint16_t* codes = codes_.data() + at;
    std::fill_n(codes, tile_rows_, std::uint16_t{0});
    for (const data::Ramp& ramp : column.ramps)
      for (std::size_t r = 0; r < tile_rows_; ++r) codes[r] += numbers[r] >= ramp.knot;
    for (std::size_t r = 0; r < tile_rows_; ++r) {
      rises_[at + r] = 0.0f;
      if (std::isnan(numbers[r])) {
        codes[r] = static_cast<std::uint16_t>(column.ramps.size() + 1);
      } else if (codes[r] > 0) {
        const data::Ramp& ramp = column.ramps[codes[r] - 1u];
        rises_[at + r] = std::clamp((numbers[r] - ramp.knot) * ramp.slope, 0.0f, ramp.high - ramp.low);
      }
    }
  }
}

LookupRows Lookup::rows(std::size_t tile) const {
  if (columns_.empty()) return {};
  const std::size_t at = tile * columns_.size() * tile_rows_;
  return {codes_.data() + at, rises_.data() + at};
}

void Lookup::set_weights(std::span<const double> weights) {
  const std::size_t stride = 2 * tables_.width;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Column& column = columns_[c];
    for (std::size_t j = 0; j < units_; ++j) {
      const double* w = weights.data() + j * features_;
      float* entry = values_.data() + starts_[c] * stride + j;
      double base = 0.0;
      for (std::size_t m = 0; m < column.ramps.size(); ++m)
        base += w[column.places[m]] * static_cast<double>(column.ramps[m].low);
      *entry = static_cast<float>(base);
      for (std::size_t m = 0; m < column.ramps.size(); ++m) {
        const double weight = w[column.places[m]], height = column.ramps[m].high - column.ramps[m].low;
        entry += stride;
        entry[0] = static_cast<float>(base);
        entry[tables_.width] = static_cast<float>(weight);
        base += weight * height;
      }
    }
  }
}

void Lookup::derivatives(const float* sums, double* result) const {
  const std::size_t stride = 2 * tables_.width;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Column& column = columns_[c];
    const std::size_t count = column.ramps.size();
    for (std::size_t j = 0; j < units_; ++j) {
      const float* entry = sums + starts_[c] * stride + j;
      double total = 0.0, above = 0.0;  // of all rows that have a number; of those beyond a ramp
      for (std::size_t m = 0; m <= count; ++m) total += static_cast<double>(entry[m * stride]);
      for (std::size_t m = count; m-- > 0;) {
        const data::Ramp& ramp = column.ramps[m];
        const double on_the_way = static_cast<double>(entry[(m + 1) * stride + tables_.width]);
        result[j * features_ + column.places[m]] =
            static_cast<double>(ramp.low) * total + static_cast<double>(ramp.high - ramp.low) * above + on_the_way;
        above += static_cast<double>(entry[(m + 1) * stride]);
      }
    }
  }
}

}  // namespace accrete::backend
