#include "accrete/boosting/read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "accrete/config/preset.hpp"
#include "accrete/config/used_parameters.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/data/location.hpp"

namespace accrete::boosting {
namespace {

/// Reads the offsets and records the column in the model.
std::vector<double> read_offsets_for(PreparedFit& fit, const data::Table& table, const FitOptions& options) {
  if (!options.offset_column.empty()) {
    if (fit.outputs != 1)
      throw core::UsageError(core::parameter("offset_column"),
                             core::message("needs a network with one output; this network has {}", fit.outputs));
    fit.model.offset_column = table.columns[table.require(options.offset_column)].name;
  }
  return read_offsets_of(fit.model, table);
}

/// A column of numbers, one per row. role: weight or offset, for errors.
const data::Column& require_numbers(const data::Table& table, const std::string& name, const char* role) {
  const data::Column& column = table.columns[table.require(name)];
  if (column.kind != data::Column::Kind::numeric)
    throw core::DataError(fmt::format("{}: the {} column '{}' holds text", table.source, role, column.name));
  if (column.sparse)
    throw core::UsageError(
        fmt::format("{}: the {} column '{}' is sparse; it must be dense", table.source, role, column.name));
  return column;
}

/// A row of negligible weight has no effect on the scale of the targets, so its own target can be far beyond it.
void check_weight_range(const data::Table& table, const data::Column& column, std::span<const double> weights) {
  constexpr double max_ratio = 1e30;
  double low = std::numeric_limits<double>::infinity(), high = 0.0;
  for (const double weight : weights) {
    if (weight > 0.0) low = std::min(low, weight);
    high = std::max(high, weight);
  }
  if (!weights.empty() && high == 0.0)
    throw core::DataError(
        fmt::format("{}: all weights in column '{}' are 0 in single precision, where numbers below 1e-45 become 0",
                    table.source, column.name));
  if (high > max_ratio * low)
    throw core::DataError(
        fmt::format("{}: the weights in column '{}' go from {:g} to {:g}; the largest may be at most "
                    "{:g} times the smallest above 0",
                    table.source, column.name, low, high, max_ratio));
}

}  // namespace

std::optional<data::Task> task_of(const FitOptions& options) {
  const std::string loss = options.config.loss.value_or("auto");
  const bool numbers =
      loss != "auto" && loss != loss::Squared::name && loss::All::contains(loss) && !loss::Loss::named(loss).classes();
  const bool quantiles = options.config.quantiles && !options.config.quantiles->empty();
  const bool is_regression = numbers || quantiles || config::implied_loss(options.config);
  return options.task || !is_regression ? options.task : data::Task::regression;
}

void check_custom_loss(const FitOptions& options, const std::string& loss) {
  const bool is_custom = loss == loss::Custom::name;
  if (is_custom && !options.custom_loss)
    throw core::UsageError(core::parameter("loss", loss::Custom::name),
                           "needs the loss function, which a Python or C++ program passes");
  if (!is_custom && options.custom_loss)
    throw core::UsageError(core::parameter("loss", loss), "must be custom, because a function is given");
}

TrainingTable read_table(data::ConsumableTable source, const FitOptions& options, PreparedFit& fit) {
  const data::Table& table = source.table;
  const auto targets = target_columns(table, options.targets);
  auto columns = feature_columns(table, targets, {options.weight_column, options.offset_column, options.ignore});
  auto weights = read_weights(table, options.weight_column);
  data::Target target = data::read_target(table, targets, task_of(options), weights);
  check_target_range(table, target, weights);
  fit.config = config::configure(options.preset, target.task, options.config);
  fit.outputs = fit.config.quantiles.empty() ? target.outputs() : fit.config.quantiles.size();
  if (!fit.config.quantiles.empty() && target.outputs() != 1)
    throw core::UsageError(core::parameter(fit.config.interval > 0.0 ? "interval" : "quantiles"),
                           core::message("needs a single target; {} are given", target.outputs()));
  if (fit.config.bins > 0 && are_sparse(table, columns))
    throw core::UsageError(
        core::parameter("bins", fit.config.bins),
        core::message("needs dense columns, but all columns are sparse; use {}", core::parameter("bins", 0)));
  fit.custom_loss = options.custom_loss;
  fit.task_reason = target.reason;
  fit.model.task = target.task;
  fit.model.loss = config::loss_of(fit.config);
  fit.model.targets = target.names;
  fit.model.classes = target.classes;
  check_custom_loss(options, fit.config.loss);
  return {source, std::move(target.values), std::move(weights), read_offsets_for(fit, table, options),
          std::move(columns)};
}

TrainingTable read_table_for(data::ConsumableTable source, const FitOptions& options, PreparedFit& fit) {
  fit.custom_loss = options.custom_loss;
  check_custom_loss(options, fit.config.loss);
  return {source,
          read_targets_of(fit.model, source.table),
          read_weights(source.table, options.weight_column),
          read_offsets_for(fit, source.table, options),
          {}};
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

std::vector<std::size_t> feature_columns(const data::Table& table, std::span<const std::size_t> targets,
                                         const RowColumns& roles) {
  std::vector<std::size_t> columns;
  const std::size_t none = table.columns.size();
  const auto find = [&](const std::string& name, const char* role) {
    const std::size_t column = name.empty() ? none : table.require(name);
    if (std::ranges::find(targets, column) != targets.end())
      throw core::UsageError(fmt::format("{}: column '{}' is the target and cannot also be the {} column", table.source,
                                         table.columns[column].name, role));
    return column;
  };
  const std::size_t weight = find(roles.weight, "weight"), offset = find(roles.offset, "offset");
  if (weight == offset && weight != none)
    throw core::UsageError(fmt::format("{}: column '{}' is the weight column and cannot also be the offset column",
                                       table.source, table.columns[weight].name));
  for (std::size_t c = 0; c < none; ++c) {
    const bool is_ignored = std::ranges::find(roles.ignored, table.columns[c].name) != roles.ignored.end();
    if (c != weight && c != offset && !is_ignored && std::ranges::find(targets, c) == targets.end())
      columns.push_back(c);
  }
  if (columns.empty()) throw core::UsageError(table.source + ": no column is left to predict from");
  return columns;
}

std::vector<double> read_weights(const data::Table& table, const std::string& name) {
  std::vector<double> weights(table.rows(), 1.0);
  if (name.empty()) return weights;
  const data::Column& column = require_numbers(table, name, "weight");
  for (std::size_t r = 0; r < weights.size(); ++r) {
    weights[r] = column.numbers[r];
    if (!(weights[r] >= 0.0) || !std::isfinite(weights[r]))
      throw core::DataError(
          core::message("{}: a weight must be a number, 0 or above", data::location(table, r, column.name)));
  }
  check_weight_range(table, column, weights);
  return weights;
}

std::vector<double> read_offsets(const data::Table& table, const std::string& name) {
  if (name.empty()) return {};
  const data::Column& column = require_numbers(table, name, "offset");
  std::vector<double> offsets(column.numbers.begin(), column.numbers.end());
  for (std::size_t r = 0; r < offsets.size(); ++r)
    if (!std::isfinite(offsets[r]))
      throw core::DataError(core::message("{}: an offset must be a number", data::location(table, r, column.name)));
  return offsets;
}

std::vector<std::size_t> target_columns_of(const model::Model& model, const data::Table& table) {
  std::vector<std::size_t> columns;
  for (const auto& name : model.targets) columns.push_back(table.require(name));
  return columns;
}

core::Matrix<double> read_targets_of(const model::Model& model, const data::Table& table) {
  return data::read_target_as(table, target_columns_of(model, table), model.task, model.classes);
}

bool are_sparse(const data::Table& table, std::span<const std::size_t> columns) {
  return std::ranges::all_of(columns, [&](std::size_t c) { return table.columns[c].sparse.has_value(); });
}

std::vector<double> read_offsets_of(const model::Model& model, const data::Table& table, const std::string& name) {
  if (name.empty() && !model.offset_column.empty() && !table.find(model.offset_column))
    throw core::DataError(core::message(
        "{}: no column '{}', the offset that the model was fitted with; add it (0: no offset) or name another with {}",
        table.source, model.offset_column, core::parameter("offset_column")));
  return read_offsets(table, name.empty() ? model.offset_column : name);
}

void check_target_range(const data::Table& table, const data::Target& target, std::span<const double> weights) {
  if (target.task != data::Task::regression) return;
  for (std::size_t c = 0; c < target.values.cols(); ++c) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t r = 0; r < target.values.rows(); ++r) {
      if (weights[r] == 0.0) continue;
      low = std::min(low, target.values(r, c));
      high = std::max(high, target.values(r, c));
    }
    if (std::max(-low, high) > 1e100 || (low < high && high - low < 1e-100))
      throw core::DataError(
          fmt::format("{} goes from {} to {}; its size must be at most 1e100 and its range at least 1e-100",
                      data::target_subject(table, target.names[c]), low, high));
  }
}

}  // namespace accrete::boosting
