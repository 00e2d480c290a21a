#include "accrete/data/encoder/fit_input.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "accrete/data/column_reader.hpp"
#include "accrete/data/encoder/fit_bins.hpp"

namespace accrete::data {
namespace {

/// Uses two passes: the one-pass formula cancels if the mean is much larger than the deviation.
void fit_numeric(Input& input, std::span<const float> values, const WeightedRows& from) {
  double sum = 0.0, weight = 0.0;
  float low = std::numeric_limits<float>::infinity(), high = -low;
  for (const std::size_t r : from.rows) {
    const float x = values[r];
    if (std::isnan(x)) {
      input.gap_flag = true;
      continue;
    }
    sum += from.weight(r) * x, weight += from.weight(r);
    low = std::min(low, x), high = std::max(high, x);
  }
  if (!(low < high)) {  // constant; compares values because the weighted mean may round differently
    if (weight > 0.0) input.mean = 0.0 + low;  // 0.0 + turns -0 into 0
    // Units keep their initial weights for a constant feature, so later values must not change it either.
    input.scale = no_spread;
    input.gap_flag = input.gap_flag && weight > 0.0;
    return;
  }
  input.mean = sum / weight;
  double squares = 0.0;
  for (const std::size_t r : from.rows)
    if (!std::isnan(values[r])) squares += from.weight(r) * (values[r] - input.mean) * (values[r] - input.mean);
  const double sd = std::sqrt(squares / weight);
  input.scale = sd > 0.0 && std::isfinite(sd) ? sd : 1.0;
}

/// Categories with at least this many levels are expected to have levels too rare to learn individually.
constexpr std::size_t many_levels = 24;
/// Levels with fewer rows are treated as unseen levels.
constexpr double min_level_rows = 5.0;
/// In such a category, rarer levels are scaled as if they had this share: with unit variance, the solver of a step
/// would move their weights too far.
constexpr double min_level_share = 0.01;
/// Levels beyond this number are treated as unseen too, rarest first: codes in lookup tables have 16 bits.
constexpr std::size_t max_levels = 60'000;

/// row_weight: the mean weight. A merged row's weight is the number of its rows, so a row counts as at most 1.
void drop_rare_levels(std::vector<std::size_t>& levels, const std::vector<double>& weight, double row_weight) {
  std::erase_if(levels, [&](std::size_t l) { return weight[l] < min_level_rows * std::min(row_weight, 1.0); });
  if (levels.size() <= max_levels) return;
  std::ranges::stable_sort(levels, std::ranges::greater{}, [&](std::size_t l) { return weight[l]; });
  levels.resize(max_levels);
}

/// Sorts levels so that features do not depend on row order.
void fit_text(Input& input, const Column& column, const WeightedRows& from) {
  std::vector<double> weight(column.levels.size(), 0.0);
  std::vector<std::size_t> order;
  double total = 0.0;
  for (const std::size_t r : from.rows) {
    total += from.weight(r);
    if (column.codes[r] < 0)
      input.gap_flag = true;
    else
      weight[static_cast<std::size_t>(column.codes[r])] += from.weight(r);
  }
  for (std::size_t l = 0; l < weight.size(); ++l)
    if (weight[l] > 0.0) order.push_back(l);
  const bool many = order.size() >= many_levels;
  if (many) drop_rare_levels(order, weight, total / static_cast<double>(from.rows.size()));
  std::ranges::sort(order, {}, [&](std::size_t l) -> const std::string& { return column.levels[l]; });
  for (const std::size_t l : order) {
    input.levels.push_back(column.levels[l]);
    input.shares.push_back(std::max(weight[l] / total, many ? min_level_share : 0.0));
  }
}

}  // namespace

Input fit_input(const Table& table, const Column& column, const WeightedRows& from, const EncoderOptions& options) {
  Input input;
  input.name = column.name;
  input.kind = column.kind;
  input.format = column.format;
  if (column.kind == Column::Kind::text) {
    fit_text(input, column, from);
    if (!options.standardise) std::ranges::fill(input.shares, 0.0);
    return input;
  }
  for (const std::size_t r : from.rows)
    if (std::isinf(column.numbers[r])) throw_infinite(table, column, r);
  fit_numeric(input, column.numbers, from);
  if (options.bins > 0) fit_bins(input, column.numbers, from, options.bins);
  // A column in its own units is not shifted: a missing value becomes 0, and the gap flag marks it.
  if (!options.standardise) {
    input.mean = 0.0, input.scale = 1.0;
    std::ranges::fill(input.bin_means, 0.0);
    std::ranges::fill(input.bin_scales, 1.0);
  }
  return input;
}

}  // namespace accrete::data
