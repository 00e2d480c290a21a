#include "accrete/boosting/fit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "accrete/boosting/prepare.hpp"
#include "accrete/boosting/preset.hpp"
#include "accrete/boosting/step.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/version.hpp"
#include "accrete/data/split.hpp"

namespace accrete::boosting {
namespace {

/// Everything a fit needs, whether fresh, resumed or grown.
struct Prepared {
  model::Model model;  ///< without units yet, or the one to go on from
  Config config;
  data::Dataset train;
  std::optional<data::Dataset> validation;
  std::vector<std::string> notes;
};

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

/// Squares of the target, and of its differences, must be numbers with room on both sides.
void check_size(const data::Table& table, const data::Target& target) {
  if (target.task != data::Task::regression) return;
  for (std::size_t c = 0; c < target.values.cols(); ++c) {
    double low = target.values(0, c), high = low;
    for (std::size_t r = 0; r < target.values.rows(); ++r) {
      low = std::min(low, target.values(r, c));
      high = std::max(high, target.values(r, c));
    }
    if (std::max(-low, high) > 1e100 || high - low < 1e-100)
      throw core::DataError(fmt::format(
          "{}: the target '{}' goes from {} to {}; its size must be at most 1e100 and its range at least 1e-100",
          table.source, target.names[c], low, high));
  }
}

void check_counts(const data::Table& table, const core::Matrix<double>& targets, const Config& config) {
  if (config.loss != "poisson") return;
  for (std::size_t r = 0; r < targets.rows(); ++r)
    for (std::size_t c = 0; c < targets.cols(); ++c)
      if (targets(r, c) < 0.0)
        throw core::DataError(fmt::format("{}: row {}: the target is {}; --loss poisson needs 0 or above", table.source,
                                          r + 1, targets(r, c)));
}

/// Splits, weighs and encodes. fit_encoder: learn the encoder and the target's scale here; else the model's are used.
void load_rows(Prepared& p, const data::Table& table, const core::Matrix<double>& targets,
               std::span<const std::size_t> columns, const FitOptions& options, bool fit_encoder) {
  check_counts(table, targets, p.config);
  std::vector<double> weights = read_weights(table, options.weight_column);
  const bool classes = !p.model.classes.empty();
  std::vector<std::size_t> rows = options.rows.empty() ? all_rows(table.rows()) : options.rows, held;
  if (!options.validation && p.config.validation_fraction > 0.0) {
    std::vector<double> labels;
    if (classes)
      for (std::size_t r : rows) labels.push_back(targets(r, 0));
    const data::Split split = data::holdout(rows.size(), labels, p.config.validation_fraction, p.config.seed);
    for (std::size_t i : split.test) held.push_back(rows[i]);
    std::vector<std::size_t> kept;
    for (std::size_t i : split.train) kept.push_back(rows[i]);
    rows = std::move(kept);
  }
  if (p.config.class_weight == "balanced") balance_classes(weights, targets.flat(), p.model.classes.size(), rows);
  if (rows_of_a_step(p.config, rows.size()) == 0)
    throw core::UsageError(fmt::format("--subsample {} of {} rows leaves none", p.config.subsample, rows.size()));
  if (fit_encoder) {
    const TargetScale scale = target_scale(targets, rows, p.config);
    p.model.target_shift = scale.shift;
    p.model.target_scale = scale.scale;
    p.model.encoder = data::Encoder::fit(table, columns, rows);
    if (auto text = lost_digits(p.model.encoder)) p.notes.push_back(std::move(*text));
  }
  const TargetScale scale{p.model.target_shift, p.model.target_scale};
  p.train = make_dataset(p.model.encoder, table, rows, targets, weights, scale);
  if (!held.empty()) p.validation = make_dataset(p.model.encoder, table, held, targets, weights, scale);
  if (const data::Table* v = options.validation) {
    std::vector<std::size_t> target_columns;
    for (const auto& name : p.model.targets) target_columns.push_back(v->require(name));
    const auto values = data::read_target_as(*v, target_columns, p.model.task, p.model.classes);
    check_counts(*v, values, p.config);
    const auto v_weights = read_weights(*v, v->find(options.weight_column) ? options.weight_column : "");
    p.validation = make_dataset(p.model.encoder, *v, all_rows(v->rows()), values, v_weights, scale);
  }
}

/// The model as it stands after some steps.
model::Model assemble(const model::Model& base, const Config& config, const network::Network& network,
                      const Curves& curves) {
  model::Model model = base;
  model.network = network;
  model.provenance.parameters = settings_of(config);
  auto in_units = [&](std::vector<double> values) {
    if (base.target_scale.size() == 1)
      for (double& v : values) v = base.loss.in_target_units(v, base.target_scale[0]);
    return values;
  };
  model.provenance.train_loss = in_units(curves.train);
  model.provenance.validation_loss = in_units(curves.validation);
  return model;
}

/// The curves of the steps a model has. They are stored in the target's units; the loop measures afresh when that is
/// not the unit it trains in, so that no rounding creeps in.
Curves curves_of(const model::Model& model) {
  const bool same_units = model.target_scale.size() != 1 || model.target_scale[0] == 1.0;
  Curves curves{model.provenance.train_loss, model.provenance.validation_loss};
  const std::size_t points = model.network.steps() + 1;
  if (!same_units || curves.train.size() < points) return {};
  curves.train.resize(points);
  if (!curves.validation.empty()) curves.validation.resize(points);
  return curves;
}

void note_units_left_out(Prepared& p) {
  const std::size_t there = p.model.network.units(), step = p.config.units_per_step;
  const std::size_t missing = p.config.units - std::min<std::size_t>(there, p.config.units);
  if (missing % step != 0)
    p.notes.push_back(fmt::format("{} {} is not a multiple of {} per step: growing {}", missing,
                                  there > 0 ? "more units" : "units", step, there + missing / step * step));
}

void note_no_descent(FitResult& result) {
  const auto& curve = result.model.provenance.train_loss;
  const double first = curve.front(), last = curve[result.model.network.steps()];
  if (result.model.network.steps() == 0 || last < first) return;
  const std::string flag =
      result.config.solver == "lbfgs" ? "--learning-rate" : "--learning-rate or another --solver-rate";
  result.notes.push_back(
      fmt::format("the training loss went from {:.5g} to {:.5g}: the model is no better than a constant{}", first, last,
                  last > first ? "; try a lower " + flag : ""));
}

FitResult run(Prepared& p, const FitOptions& options, const Observer& observer) {
  std::optional<core::Workers> own;
  core::Workers& workers = options.workers ? *options.workers : own.emplace();
  const data::Dataset* validation = p.validation ? &*p.validation : nullptr;
  const TrainTask task{p.config, p.train, p.model.network.outputs(), validation, options.backend, workers, {}};
  note_units_left_out(p);
  p.model.provenance.version = core::version();
  p.model.provenance.training_rows = p.train.rows();

  auto observe = [&](const StepReport& report) {
    if (!observer) return true;
    auto snapshot = [&] { return assemble(p.model, p.config, report.network, report.curves); };
    const double scale = p.model.target_scale.size() == 1 ? p.model.target_scale[0] : 1.0;
    Progress progress{report.step, report.steps, report.network.units(), 0.0, {}, snapshot};
    progress.train_loss = p.model.loss.in_target_units(report.curves.train.back(), scale);
    if (!report.curves.validation.empty())
      progress.validation_loss = p.model.loss.in_target_units(report.curves.validation.back(), scale);
    return observer(progress);
  };
  Curves curves = p.model.network.steps() == 0 ? Curves{} : curves_of(p.model);
  TrainResult trained = train(task, p.model.network, std::move(curves), observe);
  trained.network.truncate(trained.best_step);
  FitResult result{assemble(p.model, p.config, trained.network, trained.curves), p.config, trained.stop, "",
                   std::move(p.notes)};
  note_no_descent(result);
  return result;
}

}  // namespace

FitResult fit(const data::Table& table, const FitOptions& options, const Observer& observer) {
  const auto targets = target_columns(table, options.targets);
  const data::Target target = data::read_target(table, targets, options.task);
  check_size(table, target);
  Prepared p;
  p.config = configure(options.preset, target.task, options.overrides);
  p.model.task = target.task;
  p.model.loss = loss_of(p.config);
  p.model.targets = target.names;
  p.model.classes = target.classes;
  const auto columns = feature_columns(table, targets, options.weight_column);
  load_rows(p, table, target.values, columns, options, true);
  p.model.provenance.data_fingerprint = fingerprint(p.train);
  if (options.resume) {
    const model::Model& checkpoint = *options.resume;
    if (checkpoint.provenance.parameters != settings_of(p.config))
      throw core::UsageError("the checkpoint was made with other parameters; start without --resume");
    if (checkpoint.provenance.data_fingerprint != p.model.provenance.data_fingerprint)
      throw core::UsageError("the checkpoint was made from other training rows; start without --resume");
    p.model = checkpoint;
  } else {
    std::optional<core::Workers> one(std::in_place, 1);
    p.model.network = start_network({p.config, p.train, target.outputs(), nullptr, options.backend, *one, {}});
  }
  FitResult result = run(p, options, observer);
  result.task_reason = target.reason;
  return result;
}

FitResult grow(const model::Model& model, const data::Table& table, const FitOptions& options,
               const Observer& observer) {
  Prepared p;
  p.model = model;
  for (const auto& [name, text] : model.provenance.parameters) set(p.config, parameter_named(name), text);
  for (const auto& [name, text] : options.overrides) set(p.config, parameter_named(name), text);
  resolve(p.config, model.task);
  if (p.config.activation != model.network.activation().name())
    throw core::UsageError(fmt::format("the model's units are {}; --activation cannot change when it grows",
                                       model.network.activation().name()));
  if (p.config.units <= model.network.units())
    throw core::UsageError(fmt::format("--units {}: the model already has {}", p.config.units, model.network.units()));
  if (p.config.units - model.network.units() < p.config.units_per_step)
    throw core::UsageError(fmt::format("--units {}: {} more is less than the {} units of a step", p.config.units,
                                       p.config.units - model.network.units(), p.config.units_per_step));
  p.model.loss = loss_of(p.config);
  std::vector<std::size_t> targets;
  for (const auto& name : model.targets) targets.push_back(table.require(name));
  const auto values = data::read_target_as(table, targets, model.task, model.classes);
  load_rows(p, table, values, {}, options, false);
  const std::uint64_t rows = fingerprint(p.train);
  if (rows != model.provenance.data_fingerprint)
    p.notes.push_back(
        "these are not the rows the model was trained on; its units stay, the new ones are fitted to these rows");
  p.model.provenance.data_fingerprint = rows;
  return run(p, options, observer);
}

}  // namespace accrete::boosting
