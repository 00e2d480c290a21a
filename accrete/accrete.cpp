#include "accrete/accrete.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>
#include <utility>

#include "accrete/model/offsets.hpp"
#include "accrete/model/overflow.hpp"

namespace accrete {
namespace {

constexpr const char* target_name = "target";
constexpr const char* weight_name = "weights";
constexpr const char* offset_name = "offsets";

/// A text column: one level per distinct text, in order of first appearance.
template <class TextAt>
data::Column text_column(std::string name, std::size_t rows, TextAt&& text_at) {
  data::Column column{.name = std::move(name), .kind = data::Column::Kind::text};
  std::unordered_map<std::string, std::int32_t> codes;
  for (std::size_t r = 0; r < rows; ++r) {
    std::string text = text_at(r);
    if (text.empty()) {
      column.codes.push_back(-1);
      continue;
    }
    const auto [at, fresh] = codes.emplace(text, static_cast<std::int32_t>(codes.size()));
    if (fresh) column.levels.push_back(std::move(text));
    column.codes.push_back(at->second);
  }
  return column;
}

std::string target_column_name(const Samples& s, std::size_t c) {
  return s.target_columns == 1 ? target_name : fmt::format("{}{}", target_name, c);
}

std::size_t checked_rows(const Samples& s) {
  if (s.columns == 0 || s.features.size() % s.columns != 0)
    throw UsageError(fmt::format("{} features are not whole rows of {} columns", s.features.size(), s.columns));
  const std::size_t rows = s.features.size() / s.columns;
  if (s.labels.empty() == s.targets.empty()) throw UsageError("samples need either labels or targets");
  if (!s.labels.empty() && s.labels.size() != rows)
    throw UsageError(fmt::format("{} labels for {} rows", s.labels.size(), rows));
  if (!s.targets.empty() && s.targets.size() != rows * s.target_columns)
    throw UsageError(fmt::format("{} targets for {} rows of {}", s.targets.size(), rows, s.target_columns));
  if (!s.weights.empty() && s.weights.size() != rows)
    throw UsageError(fmt::format("{} weights for {} rows", s.weights.size(), rows));
  if (!s.offsets.empty() && s.offsets.size() != rows)
    throw UsageError(fmt::format("{} offsets for {} rows", s.offsets.size(), rows));
  for (const auto& name : s.names)
    if (name == weight_name || (name == offset_name && !s.offsets.empty()) || name.starts_with(target_name))
      throw UsageError(fmt::format("a column cannot be named '{}': the name is taken", name));
  return rows;
}

Table table_of(const Samples& s) {
  const std::size_t rows = checked_rows(s);
  Table table = Table::from_rows({s.features.data(), rows, s.columns}, s.names);
  if (!s.labels.empty()) {
    table.columns.push_back(text_column(target_name, rows, [&](std::size_t r) { return s.labels[r]; }));
  } else {
    // Text preserves the digits of a double and allows whole numbers as classes.
    for (std::size_t c = 0; c < s.target_columns; ++c)
      table.columns.push_back(text_column(target_column_name(s, c), rows, [&](std::size_t r) {
        const double y = s.targets[r * s.target_columns + c];
        return std::isnan(y) ? std::string() : fmt::format("{}", y);
      }));
  }
  if (!s.weights.empty()) {
    data::Column weights{.name = weight_name};
    weights.numbers.assign(s.weights.begin(), s.weights.end());
    table.columns.push_back(std::move(weights));
  }
  if (!s.offsets.empty()) {
    data::Column offsets{.name = offset_name};
    offsets.numbers.assign(s.offsets.begin(), s.offsets.end());
    table.columns.push_back(std::move(offsets));
  }
  return table;
}

boosting::FitOptions fit_options(const Samples& s, const Config& config) {
  boosting::FitOptions options{.config = config};
  for (std::size_t c = 0; c < (s.labels.empty() ? s.target_columns : 1); ++c)
    options.targets.push_back(target_column_name(s, c));
  if (!s.weights.empty()) options.weight_column = weight_name;
  if (!s.offsets.empty()) options.offset_column = offset_name;
  return options;
}

template <class SomeTable>
Model train_with(SomeTable&& table, boosting::FitOptions fit, const TrainOptions& options, const Observer& observer) {
  core::Workers workers(options.threads);
  fit.preset = options.preset;
  fit.task = options.task;
  fit.custom_loss = options.custom_loss;
  fit.custom_metric = options.custom_metric;
  fit.workers = &workers;
  return boosting::fit(std::forward<SomeTable>(table), fit, observer).model;
}

/// Calls visit(rows, steps, workers) with the rows as a matrix, or as a table if the model has text inputs.
template <class Visit>
auto visit_rows(const Model& model, std::span<const float> features, const PredictOptions& options,
                const Visit& visit) {
  const std::size_t inputs = model.encoder.inputs().size();
  if (inputs == 0 || features.size() % inputs != 0)
    throw UsageError(fmt::format("{} features are not whole rows of the model's {} inputs", features.size(), inputs));
  const core::MatrixView<const float> rows{features.data(), features.size() / inputs, inputs};
  const std::size_t steps = model.steps_for(options.units);
  core::Workers workers(options.threads);
  if (model.encoder.all_numeric()) return visit(rows, steps, workers);
  // A number given for a text input means the level that is written that way, which only a table can look up.
  std::vector<std::string> names;
  for (const data::Input& input : model.encoder.inputs()) names.push_back(input.name);
  return visit(Table::from_rows(rows, names), steps, workers);
}

}  // namespace

Model train(const Samples& samples, const Config& config, const TrainOptions& options, const Observer& observer) {
  return train_with(table_of(samples), fit_options(samples, config), options, observer);
}

Model train(const Table& table, const std::string& target, const Config& config, const TrainOptions& options,
            const Observer& observer) {
  return train_with(table, {.targets = {target}, .config = config}, options, observer);
}

Model train(Table&& table, const std::string& target, const Config& config, const TrainOptions& options,
            const Observer& observer) {
  return train_with(std::move(table), {.targets = {target}, .config = config}, options, observer);
}

Model grow(const Model& model, const Samples& samples, std::size_t units, const Observer& observer,
           const TrainOptions& options) {
  core::Workers workers(options.threads);
  boosting::FitOptions fit = fit_options(samples, {.units = units});
  fit.custom_loss = options.custom_loss;
  fit.workers = &workers;
  return boosting::grow(model, table_of(samples), fit, observer).model;
}

core::Matrix<double> predict(const Model& model, std::span<const float> features, const PredictOptions& options) {
  core::Matrix<double> predictions =
      visit_rows(model, features, options, [&](const auto& rows, std::size_t steps, core::Workers& workers) {
        return model::predict(model, rows, steps, workers);
      });
  if (!options.offsets.empty()) model::add_offsets(model, options.offsets, predictions);
  model::refuse_overflow(predictions, "data");
  return predictions;
}

Contributions contributions(const Model& model, std::span<const float> features, const PredictOptions& options) {
  return visit_rows(model, features, options, [&](const auto& rows, std::size_t steps, core::Workers& workers) {
    return explain::contributions(model, rows, steps, workers);
  });
}

std::vector<std::string> predict_labels(const Model& model, std::span<const float> features,
                                        const PredictOptions& options) {
  if (model.classes.empty()) throw UsageError("a regression model predicts numbers, not labels");
  const auto probabilities = predict(model, features, options);
  std::vector<std::string> labels;
  for (std::size_t r = 0; r < probabilities.rows(); ++r)
    labels.push_back(model.classes[model::best_class(probabilities.row(r))]);
  return labels;
}

Model prefix(const Model& model, std::size_t units) {
  Model cut = model;
  cut.truncate(model.steps_for(units));
  return cut;
}

void save(const Model& model, const std::string& path) {
  io::save_model(model, path);
}

Model load(const std::string& path) {
  return io::load_model(path);
}

}  // namespace accrete
