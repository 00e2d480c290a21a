#include "accrete/data/encoder/column_encoding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "accrete/core/error.hpp"

namespace accrete::data {
namespace {

void check(const Input& input) {
  if (!(input.scale > 0.0) || !std::isfinite(input.scale) || !std::isfinite(input.mean))
    throw core::DataError(
        fmt::format("encoder: column '{}' has mean {} and scale {}; both must be finite, and the scale positive",
                    input.name, input.mean, input.scale));
  const bool in_range = std::ranges::all_of(input.shares, [](double p) { return p >= 0.0 && p <= 1.0; });
  if (input.shares.size() != input.levels.size() || !in_range)
    throw core::DataError(fmt::format("encoder: column '{}' needs a share from 0 to 1 for each of its {} levels",
                                      input.name, input.levels.size()));
}

/// The feature of a level with share p of the training rows. A level without rows is not scaled.
Level level_of(double p) {
  // A level in every row: units keep their initial weights for it, so a later row without it must not change the score.
  if (p >= 1.0) return {.mean = p, .scale = no_spread, .on = 0.0f, .off = 0.0f};
  const double deviation = std::sqrt(p * (1.0 - p)), scale = deviation > 0.0 ? deviation : 1.0;
  return {p, scale, static_cast<float>((1.0 - p) / scale), static_cast<float>(-p / scale)};
}

}  // namespace

ColumnEncoding::ColumnEncoding(const Input& input, std::size_t first_feature) : first_(first_feature) {
  check(input);
  std::vector<Bin> bins = bins_of(input);
  if (input.kind == Column::Kind::numeric) {
    add(1, Standardised{input.mean, input.scale, 1.0 / input.scale});
  } else if (!input.levels.empty()) {
    OneHot one_hot;
    for (const double share : input.shares) one_hot.levels.push_back(level_of(share));
    add(input.levels.size(), std::move(one_hot));
  }
  if (!bins.empty()) {
    Ramps ramps(bins);
    const std::size_t count = ramps.size();  // before the move, because arguments are evaluated in any order
    add(count, Bins{std::move(bins), std::move(ramps), NumberGrid(input.knots)});
  }
  if (input.gap_flag) add(1, GapFlag{});
}

void ColumnEncoding::add(std::size_t count, FeatureEncoding encoding) {
  groups_.push_back({first_ + width_, count, std::move(encoding)});
  width_ += count;
}

}  // namespace accrete::data
