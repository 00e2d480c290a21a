#include "accrete/backend/lookup.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace accrete::backend {
namespace {

/// A column with fewer ramps is as fast in the dense kernels.
constexpr std::size_t min_table_ramps = 12;

/// One entry below the first ramp, one per ramp (up to the start of the next), and one for missing values.
constexpr std::size_t table_entries(std::size_t ramps) {
  return ramps + 2;
}

/// True if each ramp ends before the next starts, up to rounding.
bool are_disjoint(std::span<const data::Ramp> ramps) {
  for (std::size_t m = 1; m < ramps.size(); ++m) {
    const float width = (ramps[m - 1].high - ramps[m - 1].low) / ramps[m - 1].slope;
    if (!(ramps[m].knot - ramps[m - 1].knot >= 0.999f * width)) return false;
  }
  return true;
}

}  // namespace

void LookupLayer::build(const data::Features& x, std::span<const data::FeatureSource> features, std::size_t units,
                        core::Workers& workers) {
  units_ = units;
  features_ = features.size();
  tile_rows_ = x.tile_rows();
  std::vector<BinnedColumn> candidates;
  dense_.clear();
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (!features[i].ramped) {
      dense_.push_back(i);
      continue;
    }
    if (candidates.empty() || candidates.back().stored_column != features[i].column)
      candidates.push_back({features[i].column, {}, {}});
    candidates.back().feature_indices.push_back(i);
    candidates.back().ramps.push_back(features[i].ramp);
  }
  create_tables(candidates);
  if (columns_.empty()) return;
  codes_.resize(x.tiles() * columns_.size() * tile_rows_);
  rises_.resize(codes_.size());
  workers.run(x.tiles(), [&](std::size_t tile) { encode_tile(x, tile); });
}

void LookupLayer::create_tables(std::vector<BinnedColumn>& candidates) {
  columns_.clear();
  starts_.clear();
  std::size_t entries = 0;
  for (BinnedColumn& column : candidates) {
    if (column.ramps.size() < min_table_ramps || !are_disjoint(column.ramps)) {
      dense_.insert(dense_.end(), column.feature_indices.begin(), column.feature_indices.end());
      continue;
    }
    starts_.push_back(static_cast<std::uint32_t>(entries));
    entries += table_entries(column.ramps.size());
    columns_.push_back(std::move(column));
  }
  std::ranges::sort(dense_);
  const std::size_t width = (units_ + lookup_units - 1) / lookup_units * lookup_units;
  values_.assign(entries * 2 * width, 0.0f);
  tables_ = {.columns = columns_.size(),
             .width = width,
             .entries = entries,
             .starts = starts_.data(),
             .values = values_.data()};
}

void LookupLayer::encode_tile(const data::Features& x, std::size_t tile) {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const BinnedColumn& column = columns_[c];
    const float* values = x.stored().tile(tile) + column.stored_column * tile_rows_;
    const std::size_t at = (tile * columns_.size() + c) * tile_rows_;
    std::uint16_t* codes = codes_.data() + at;
    std::fill_n(codes, tile_rows_, std::uint16_t{0});
    for (const data::Ramp& ramp : column.ramps)
      for (std::size_t r = 0; r < tile_rows_; ++r) codes[r] += values[r] >= ramp.knot;
    for (std::size_t r = 0; r < tile_rows_; ++r) {
      rises_[at + r] = 0.0f;
      if (std::isnan(values[r])) {
        codes[r] = static_cast<std::uint16_t>(column.ramps.size() + 1);
      } else if (codes[r] > 0) {
        const data::Ramp& ramp = column.ramps[codes[r] - 1u];
        rises_[at + r] = std::clamp((values[r] - ramp.knot) * ramp.slope, 0.0f, ramp.high - ramp.low);
      }
    }
  }
}

LookupRows LookupLayer::rows(std::size_t tile) const {
  if (columns_.empty()) return {};
  const std::size_t at = tile * columns_.size() * tile_rows_;
  return {codes_.data() + at, rises_.data() + at};
}

void LookupLayer::set_weights(std::span<const double> weights) {
  const std::size_t stride = 2 * tables_.width;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const BinnedColumn& column = columns_[c];
    for (std::size_t j = 0; j < units_; ++j) {
      const double* w = weights.data() + j * features_;
      float* entry = values_.data() + starts_[c] * stride + j;
      double base = 0.0;
      for (std::size_t m = 0; m < column.ramps.size(); ++m)
        base += w[column.feature_indices[m]] * static_cast<double>(column.ramps[m].low);
      *entry = static_cast<float>(base);
      for (std::size_t m = 0; m < column.ramps.size(); ++m) {
        const double weight = w[column.feature_indices[m]], height = column.ramps[m].high - column.ramps[m].low;
        entry += stride;
        entry[0] = static_cast<float>(base);
        entry[tables_.width] = static_cast<float>(weight);
        base += weight * height;
      }
    }
  }
}

void LookupLayer::weight_gradient(const float* sums, double* gradient) const {
  const std::size_t stride = 2 * tables_.width;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const BinnedColumn& column = columns_[c];
    const std::size_t count = column.ramps.size();
    for (std::size_t j = 0; j < units_; ++j) {
      const float* entry = sums + starts_[c] * stride + j;
      double total = 0.0, above = 0.0;  // over rows without a missing value; over rows above the ramp
      for (std::size_t m = 0; m <= count; ++m) total += static_cast<double>(entry[m * stride]);
      for (std::size_t m = count; m-- > 0;) {
        const data::Ramp& ramp = column.ramps[m];
        const double on_ramp = static_cast<double>(entry[(m + 1) * stride + tables_.width]);
        gradient[j * features_ + column.feature_indices[m]] =
            static_cast<double>(ramp.low) * total + static_cast<double>(ramp.high - ramp.low) * above + on_ramp;
        above += static_cast<double>(entry[(m + 1) * stride]);
      }
    }
  }
}

}  // namespace accrete::backend
