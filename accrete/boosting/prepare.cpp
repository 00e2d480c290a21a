#include "accrete/boosting/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "accrete/boosting/preset.hpp"
#include "accrete/core/error.hpp"

namespace accrete::boosting {

std::vector<std::size_t> all_rows(std::size_t n) {
  std::vector<std::size_t> rows(n);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

std::vector<std::size_t> target_columns(const data::Table& table, const std::vector<std::string>& names) {
  if (table.columns.empty()) throw core::DataError(table.source + ": no columns");
  if (names.empty()) return {table.columns.size() - 1};
  std::vector<std::size_t> columns;
  for (const auto& name : names) {
    columns.push_back(table.require(name));
    if (std::count(columns.begin(), columns.end(), columns.back()) > 1)
      throw core::UsageError(fmt::format("the target '{}' is named twice", name));
  }
  return columns;
}

void check_size(const data::Table& table, const data::Target& target, std::span<const double> weights) {
  if (target.task != data::Task::regression) return;
  for (std::size_t c = 0; c < target.values.cols(); ++c) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t r = 0; r < target.values.rows(); ++r) {
      if (weights[r] == 0.0) continue;
      low = std::min(low, target.values(r, c));
      high = std::max(high, target.values(r, c));
    }
    if (std::max(-low, high) > 1e100 || (low < high && high - low < 1e-100))
      throw core::DataError(fmt::format(
          "{}: the target '{}' goes from {} to {}; its size must be at most 1e100 and its range at least 1e-100",
          table.source, target.names[c], low, high));
  }
}

std::vector<double> read_weights(const data::Table& table, const std::string& name) {
  std::vector<double> weights(table.rows(), 1.0);
  if (name.empty()) return weights;
  const data::Column& column = table.columns[table.require(name)];
  if (column.kind != data::Column::Kind::numeric)
    throw core::DataError(fmt::format("{}: the weight column '{}' holds text", table.source, column.name));
  for (std::size_t r = 0; r < weights.size(); ++r) {
    weights[r] = column.numbers[r];
    if (!(weights[r] >= 0.0) || !std::isfinite(weights[r]))
      throw core::DataError(
          fmt::format("{}: a weight must be a number, 0 or above", data::place(table, r, column.name)));
  }
  if (!weights.empty() && std::ranges::max(weights) == 0.0)
    throw core::DataError(fmt::format("{}: all weights in column '{}' are 0", table.source, column.name));
  return weights;
}

std::vector<std::size_t> feature_columns(const data::Table& table, std::span<const std::size_t> targets,
                                         const std::string& weight_column) {
  std::vector<std::size_t> columns;
  const std::size_t none = table.columns.size();
  const std::size_t weight = weight_column.empty() ? none : table.require(weight_column);
  if (std::ranges::find(targets, weight) != targets.end())
    throw core::UsageError(fmt::format("{}: column '{}' is the target and cannot be the weight column as well",
                                       table.source, table.columns[weight].name));
  for (std::size_t c = 0; c < none; ++c)
    if (c != weight && std::ranges::find(targets, c) == targets.end()) columns.push_back(c);
  if (columns.empty()) throw core::UsageError(table.source + ": no column is left to predict from");
  return columns;
}

void balance_classes(std::span<double> weights, std::span<const double> labels, std::size_t classes,
                     std::span<const std::size_t> rows) {
  std::vector<double> total(classes, 0.0);
  for (std::size_t r : rows) total[static_cast<std::size_t>(labels[r])] += weights[r];
  const double all = std::accumulate(total.begin(), total.end(), 0.0);
  for (std::size_t r = 0; r < labels.size(); ++r) {
    const double mine = total[static_cast<std::size_t>(labels[r])];
    if (mine > 0.0) weights[r] *= all / (static_cast<double>(classes) * mine);
  }
}

std::optional<double> constant_of(const core::Matrix<double>& targets, std::size_t column,
                                  std::span<const std::size_t> rows) {
  const auto differs = [&](std::size_t r) { return targets(r, column) != targets(rows.front(), column); };
  if (rows.empty() || std::ranges::any_of(rows, differs)) return std::nullopt;
  return targets(rows.front(), column);
}

TargetScale target_scale(const Goals& goals, std::span<const std::size_t> rows, const Config& config) {
  const auto& [targets, weights] = goals;
  TargetScale result{std::vector<double>(targets.cols(), 0.0), std::vector<double>(targets.cols(), 1.0)};
  if (!loss_of(config).scales()) return result;
  double total = 0.0;
  for (std::size_t r : rows) total += weights[r];
  for (std::size_t c = 0; c < targets.cols(); ++c) {
    if (const auto constant = constant_of(targets, c, rows)) {  // a mean would be rounded
      result.shift[c] = *constant;
      continue;
    }
    double mean = 0.0, squares = 0.0;
    for (std::size_t r : rows) mean += weights[r] * targets(r, c) / total;
    for (std::size_t r : rows) squares += weights[r] * (targets(r, c) - mean) * (targets(r, c) - mean);
    const double deviation = std::sqrt(squares / total);
    result.shift[c] = mean;
    if (config.standardise_target && deviation > 0.0 && std::isfinite(deviation)) result.scale[c] = deviation;
  }
  return result;
}

std::optional<std::string> lost_digits(const data::Encoder& encoder) {
  const data::Input* first = nullptr;
  double spacing = 0.0;
  std::size_t count = 0;
  for (const auto& input : encoder.inputs()) {
    if (input.kind != data::Column::Kind::numeric) continue;
    const float size = std::abs(static_cast<float>(input.mean));
    const double gap = static_cast<double>(std::nextafter(size, std::numeric_limits<float>::max())) - size;
    if (input.scale > 16.0 * gap) continue;
    if (count++ > 0) continue;
    first = &input;
    spacing = gap;
  }
  if (!first) return std::nullopt;
  return fmt::format(
      "column '{}'{} holds numbers near {:.3g}, kept to 7 digits: differences under {:.2g} are lost; if they matter, "
      "subtract a constant from the column first",
      first->name, count > 1 ? fmt::format(" (and {} more)", count - 1) : "", first->mean, spacing);
}

data::Dataset make_dataset(data::Features features, std::span<const std::size_t> rows, const Goals& goals,
                           const TargetScale& scale, const std::string& source) {
  const auto& [targets, weights] = goals;
  data::Dataset dataset;
  dataset.features = std::move(features);
  dataset.targets = core::Matrix<double>(rows.size(), targets.cols());
  dataset.weights.resize(rows.size());
  double total = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    dataset.weights[i] = weights[rows[i]];
    total += weights[rows[i]];
    for (std::size_t c = 0; c < targets.cols(); ++c)
      dataset.targets(i, c) = (targets(rows[i], c) - scale.shift[c]) / scale.scale[c];
  }
  if (!(total > 0.0)) throw core::DataError(source + ": the rows to train on have no weight");
  for (double& w : dataset.weights) w *= static_cast<double>(rows.size()) / total;
  return dataset;
}

std::uint64_t fingerprint(const data::Dataset& data) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  auto mix = [&](std::uint64_t word) { hash = std::rotl((hash ^ word) * 0x9E3779B97F4A7C15u, 29); };
  mix(data.rows());
  mix(data.features.cols());
  // Feature by feature, as a kernel sees them: whether ramps are stored or not is nothing to the rows.
  const std::size_t tile_rows = data.features.tile_rows();
  std::vector<float> room(tile_rows);
  for (std::size_t t = 0; t < data.features.tiles(); ++t)
    for (std::size_t f = 0; f < data.features.cols(); ++f) {
      const float* x = data.features.column(t, f, room.data());
      const std::size_t count = std::min(tile_rows, data.rows() - t * tile_rows);
      for (std::size_t i = 0; i < tile_rows; ++i) mix(std::bit_cast<std::uint32_t>(i < count ? x[i] + 0.0f : 0.0f));
    }
  for (double y : data.targets.flat()) mix(std::bit_cast<std::uint64_t>(y + 0.0));
  for (double w : data.weights) mix(std::bit_cast<std::uint64_t>(w * data.row_weight));
  return hash;
}

}  // namespace accrete::boosting
