#include "accrete/network/column_lookup.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace accrete::network {
namespace {

constexpr std::size_t width = InterleavedWeights::width;
using UnitSums = std::array<double, width>;

/// Weights of one feature of a column; `first` points to those of the column's first feature.
const float* weights_of(const data::FeatureGroup& group, const data::ColumnEncoding& column, const float* first) {
  return first + (group.first - column.first()) * width;
}

void store(const UnitSums& sums, float* to) {
  for (std::size_t u = 0; u < width; ++u) to[u] = static_cast<float>(sums[u]);
}

void add_scaled(const float* weights, double factor, UnitSums& sums) {
  for (std::size_t u = 0; u < width; ++u) sums[u] += static_cast<double>(weights[u]) * factor;
}

/// Rises that lead from one stored base to the next without overshooting, so that a column with weights of one sign is
/// monotone across the boundary of two bins.
UnitSums rises_between(const UnitSums& base, const UnitSums& next) {
  UnitSums rises;
  for (std::size_t u = 0; u < width; ++u) {
    const double rise =
        static_cast<double>(static_cast<float>(next[u])) - static_cast<double>(static_cast<float>(base[u]));
    const auto rounded = static_cast<float>(rise);
    rises[u] = std::abs(static_cast<double>(rounded)) > std::abs(rise) ? std::nextafter(rounded, 0.0f) : rounded;
  }
  return rises;
}

/// Values searched in one batch, which hides the latency of each search.
constexpr std::size_t batch = 8;

/// counts[i] = number of knots <= x[i]. Uses masks instead of branches, because half of the branches of a binary search
/// are mispredicted.
void count_up_to(std::span<const float> knots, const float* x, std::uint32_t* counts) {
  std::fill_n(counts, batch, 0u);
  const auto step = [&](std::uint32_t size) {
    for (std::size_t i = 0; i < batch; ++i)
      counts[i] += size & (0u - static_cast<std::uint32_t>(knots[counts[i] + size - 1] <= x[i]));
  };
  auto left = static_cast<std::uint32_t>(knots.size());
  for (; left > 1; left -= left / 2) step(left / 2);
  if (left == 1) step(1);
}

}  // namespace

ColumnLookup::ColumnLookup(const data::ColumnEncoding& column) {
  const auto* number = column.get<data::Standardised>();
  const auto* bins = column.get<data::Bins>();
  if (!number) {
    const auto* one_hot = column.get<data::OneHot>();
    kind_ = Kind::levels;
    entries_ = (one_hot ? one_hot->levels.size() : 0) + 2;
    return;
  }
  kind_ = column.width() == 1 ? Kind::linear : Kind::piecewise;
  if (!bins) {
    intervals_.push_back({number->mean, number->inverse});
  } else {
    intervals_.push_back({static_cast<double>(bins->bins.front().start), number->inverse});
    for (const data::Bin& bin : bins->bins) {
      intervals_.push_back({static_cast<double>(bin.start), 1.0 / bin.width()});
      knots_.push_back(bin.start);
    }
    knots_.push_back(bins->bins.back().end);
    intervals_.push_back({static_cast<double>(knots_.back()), number->inverse});
  }
  entries_ = kind_ == Kind::linear ? 1 : intervals_.size() + 1;
}

void ColumnLookup::fill(const data::ColumnEncoding& column, const float* weights, float* table) const {
  switch (kind_) {
    case Kind::linear:
      std::copy_n(weights, width, table);
      break;
    case Kind::piecewise:
      fill_piecewise(column, weights, table);
      break;
    case Kind::levels:
      fill_levels(column, weights, table);
      break;
  }
}

void ColumnLookup::fill_piecewise(const data::ColumnEncoding& column, const float* weights, float* table) const {
  const auto& number = *column.get<data::Standardised>();
  UnitSums base{}, outside{}, rise{};
  add_scaled(weights, 1.0, outside);  // a number's first feature is the standardised one
  const auto write = [&](const UnitSums& slope) {
    store(base, table);
    store(slope, table + width);
    table += 2 * width;
  };
  if (const data::FeatureGroup* group = column.find<data::Bins>()) {
    const auto& bins = std::get<data::Bins>(group->encoding).bins;
    const float* ramps = weights_of(*group, column, weights);
    add_scaled(weights, (static_cast<double>(knots_.front()) - number.mean) * number.inverse, base);
    for (std::size_t j = 0; j < bins.size(); ++j) add_scaled(ramps + j * width, bins[j].low(), base);
    write(outside);
    for (std::size_t j = 0; j < bins.size(); ++j) {
      rise = {};
      add_scaled(weights, bins[j].width() * number.inverse, rise);
      add_scaled(ramps + j * width, 1.0 / bins[j].scale, rise);
      UnitSums next = base;
      for (std::size_t u = 0; u < width; ++u) next[u] += rise[u];
      write(rises_between(base, next));
      base = next;
    }
  }
  write(outside);
  base = rise = {};
  if (const data::FeatureGroup* flag = column.find<data::GapFlag>())
    add_scaled(weights_of(*flag, column, weights), 1.0, base);
  write(rise);
}

void ColumnLookup::fill_levels(const data::ColumnEncoding& column, const float* weights, float* table) const {
  UnitSums unseen{};
  if (const auto* one_hot = column.get<data::OneHot>()) {
    const auto& levels = one_hot->levels;
    for (std::size_t l = 0; l < levels.size(); ++l)
      add_scaled(weights + l * width, static_cast<double>(levels[l].off), unseen);
    for (std::size_t l = 0; l < levels.size(); ++l, table += width) {
      UnitSums seen = unseen;
      add_scaled(weights + l * width, static_cast<double>(levels[l].on) - static_cast<double>(levels[l].off), seen);
      store(seen, table);
    }
  }
  store(unseen, table);
  if (const data::FeatureGroup* flag = column.find<data::GapFlag>())
    add_scaled(weights_of(*flag, column, weights), 1.0, unseen);
  store(unseen, table + width);
}

bool ColumnLookup::find_numbers(const float* x, std::uint32_t table, TableCode* codes, std::size_t count,
                                std::size_t code_stride) const {
  constexpr double max = data::max_deviations;
  const auto size = static_cast<std::uint32_t>(entry_size());
  std::uint32_t entries[batch];
  count_up_to(knots_, x, entries);
  bool finite = true;
  for (std::size_t i = 0; i < count; ++i) {
    finite = finite && !std::isinf(x[i]);
    const Interval& interval = intervals_[entries[i]];
    const double position = (static_cast<double>(x[i]) - interval.knot) * interval.inverse;
    const bool missing = std::isnan(x[i]);
    const auto entry = missing ? static_cast<std::uint32_t>(entries_ - 1) : entries[i];
    codes[i * code_stride] = {table + entry * size,
                              missing ? 0.0f : static_cast<float>(std::clamp(position, -max, max))};
  }
  return finite;
}

TableCode ColumnLookup::code_of_level(float x, std::uint32_t table) const {
  const std::size_t levels = entries_ - 2;
  std::size_t entry = levels + (std::isnan(x) ? 1 : 0);
  if (x >= 0.0f && x < static_cast<float>(levels)) {
    const auto level = static_cast<std::size_t>(x);
    if (static_cast<float>(level) == x) entry = level;
  }
  return {table + static_cast<std::uint32_t>(entry * width), 0.0f};
}

bool ColumnLookup::find(const RawValues& values, std::uint32_t table, TableCode* codes, std::size_t code_stride) const {
  if (kind_ == Kind::levels) {
    for (std::size_t i = 0; i < values.count; ++i)
      codes[i * code_stride] = code_of_level(values.x[i * values.stride], table);
    return true;
  }
  bool finite = true;
  for (std::size_t i = 0; i < values.count; i += batch) {
    float x[batch] = {};
    const std::size_t count = std::min(batch, values.count - i);
    for (std::size_t j = 0; j < count; ++j) x[j] = values.x[(i + j) * values.stride];
    finite = find_numbers(x, table, codes + i * code_stride, count, code_stride) && finite;
  }
  return finite;
}

}  // namespace accrete::network
