#include "accrete/boosting/load.hpp"

#include <fmt/format.h>

#include <utility>

#include "accrete/boosting/distinct_rows.hpp"
#include "accrete/boosting/prepare.hpp"
#include "accrete/boosting/preset.hpp"
#include "accrete/boosting/step.hpp"
#include "accrete/core/error.hpp"
#include "accrete/data/split.hpp"

namespace accrete::boosting {
namespace {

void check_counts(const data::Table& table, const core::Matrix<double>& targets, std::span<const std::size_t> rows,
                  const Config& config) {
  if (config.loss != "poisson") return;
  for (const std::size_t r : rows)
    for (std::size_t c = 0; c < targets.cols(); ++c)
      if (targets(r, c) < 0.0)
        throw core::DataError(fmt::format("{}: row {}: the target is {}; --loss poisson needs 0 or above", table.source,
                                          r + 1, targets(r, c)));
}

/// Whether the order of the training rows is nothing to the fit but rounding, and cheap to fix.
bool order_is_free(const Config& config, const data::Split& split) {
  const bool draws = config.subsample < 1.0 || !split.test.empty() || config.solver != "lbfgs";
  return !draws && split.train.size() <= most_ordered_rows;
}

/// Where the table has the encoder's inputs; one that it lacks is refused when it is encoded.
std::vector<std::size_t> input_columns(const data::Encoder& encoder, const data::Table& table) {
  std::vector<std::size_t> columns;
  for (const auto& input : encoder.inputs())
    if (const auto at = table.find(input.name)) columns.push_back(*at);
  return columns;
}

double mean_weight(std::span<const double> weights, std::span<const std::size_t> rows) {
  double sum = 0.0;
  for (const std::size_t r : rows) sum += weights[r];
  return sum / static_cast<double>(rows.size());
}

/// The rows of a table of their own.
data::Dataset load_validation(const Prepared& p, const data::Table& table, const FitOptions& options,
                              core::Workers& workers) {
  std::vector<std::size_t> columns;
  for (const auto& name : p.model.targets) columns.push_back(table.require(name));
  const auto values = data::read_target_as(table, columns, p.model.task, p.model.classes);
  const auto weights = read_weights(table, table.find(options.weight_column) ? options.weight_column : "");
  const auto rows = all_rows(table.rows());
  check_counts(table, values, rows, p.config);
  const std::span<const std::size_t> parts[] = {rows};
  auto features = data::encode_parts(p.model.encoder, {table}, parts, workers);
  return make_dataset(std::move(features.front()), rows, {values, weights},
                      {p.model.target_shift, p.model.target_scale}, table.source);
}

}  // namespace

std::vector<std::size_t> rows_to_fit(const data::Table& table, std::span<const double> weights,
                                     std::span<const std::size_t> listed) {
  auto list = listed.empty() ? all_rows(weights.size()) : std::vector(listed.begin(), listed.end());
  std::erase_if(list, [&](std::size_t r) { return !(weights[r] > 0.0); });
  if (list.empty()) throw core::DataError(table.source + ": the rows to train on have no weight");
  return list;
}

data::Split split_rows(const Prepared& p, const Rows& rows, const FitOptions& options) {
  data::Split parts{rows_to_fit(rows.from.table, rows.weights, options.rows), {}};
  check_counts(rows.from.table, rows.targets, parts.train, p.config);
  if (options.validation || !(p.config.validation_fraction > 0.0)) return parts;
  std::vector<double> labels;
  if (!p.model.classes.empty())
    for (std::size_t r : parts.train) labels.push_back(rows.targets(r, 0));
  data::Split split = data::holdout(parts.train.size(), labels, p.config.validation_fraction, p.config.seed);
  for (auto* list : {&split.train, &split.test})
    for (std::size_t& i : *list) i = parts.train[i];
  return split;
}

EncodedSplit encode_split(const SplitTask& task, const data::Split& split) {
  const std::string& source = task.from.table.source;
  const double row_weight = mean_weight(task.weights, split.train);
  std::vector<double> balanced;
  if (task.config.class_weight == "balanced") {
    balanced.assign(task.weights.begin(), task.weights.end());
    balance_classes(balanced, task.targets.flat(), task.model.classes.size(), split.train);
  }
  const TargetScale scale{task.model.target_shift, task.model.target_scale};
  const Goals goals{task.targets, balanced.empty() ? task.weights : balanced};
  const std::span<const std::size_t> parts[] = {split.train, split.test};
  auto features = data::encode_parts(task.model.encoder, task.from, parts, task.workers);
  EncodedSplit result;
  result.train = make_dataset(std::move(features[0]), split.train, goals, scale, source);
  result.train.row_weight = row_weight;
  if (split.test.empty()) return result;
  result.validation = make_dataset(std::move(features[1]), split.test, goals, scale, source);
  result.validation->row_weight = mean_weight(task.weights, split.test);
  return result;
}

void load_rows(Prepared& p, Rows rows, std::span<const std::size_t> columns, const FitOptions& options) {
  const data::Table& table = rows.from.table;
  data::Split split = split_rows(p, rows, options);
  p.training_rows = split.train.size();
  if (rows_of_a_step(p.config, split.train.size()) == 0)
    throw core::UsageError(
        fmt::format("--subsample {} of {} rows leaves none", p.config.subsample, split.train.size()));
  if (order_is_free(p.config, split)) {
    const auto inputs = input_columns(p.model.encoder, table);
    join_equal_rows({table, columns.empty() ? inputs : columns, rows.targets}, split.train, rows.weights);
  }
  if (!columns.empty()) {
    const TargetScale scale = target_scale({rows.targets, rows.weights}, split.train, p.config);
    p.model.target_shift = scale.shift;
    p.model.target_scale = scale.scale;
    p.model.encoder =
        data::Encoder::fit(table, columns, {split.train, rows.weights}, {.bins = p.config.bins}, &rows.workers);
    if (auto text = lost_digits(p.model.encoder)) p.notes.push_back(std::move(*text));
  }
  EncodedSplit encoded = encode_split({rows.from, rows.targets, rows.weights, p.model, p.config, rows.workers}, split);
  p.train = std::move(encoded.train);
  p.validation = std::move(encoded.validation);
  if (options.validation) p.validation = load_validation(p, *options.validation, options, rows.workers);
}

}  // namespace accrete::boosting
