#include "accrete/boosting/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "accrete/boosting/choose.hpp"
#include "accrete/boosting/deadline.hpp"
#include "accrete/boosting/load.hpp"
#include "accrete/boosting/notes.hpp"
#include "accrete/boosting/prepare.hpp"
#include "accrete/boosting/preset.hpp"
#include "accrete/boosting/step.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/version.hpp"
#include "accrete/model/plain.hpp"

namespace accrete::boosting {
namespace {

constexpr double choosing_share = 0.6;  // of a time limit; the rest is for the fit of all rows

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
  // Without a validation part the curve of the rows held out while choosing stays, as far as it goes.
  if (!curves.validation.empty()) model.provenance.validation_loss = in_units(curves.validation);
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
  if (curves.validation.size() < points) curves.validation.clear();
  if (!curves.validation.empty()) curves.validation.resize(points);
  return curves;
}

FitResult run(Prepared& p, const FitOptions& options, core::Workers& workers, const Observer& observer,
              const Deadline& deadline) {
  const data::Dataset* validation = p.validation ? &*p.validation : nullptr;
  Config config = p.config;
  if (p.constant) config.units = 0;
  const TrainTask task{config, p.train,        p.model.network.outputs(), validation, options.backend, workers,
                       {},     options.machine};
  if (!p.constant) note_units_left_out(p);
  p.model.provenance.version = core::version();
  p.model.provenance.training_rows = p.training_rows;

  bool late = false;
  auto observe = [&](const StepReport& report) {
    late = deadline.over();
    if (!observer) return !late;
    auto snapshot = [&] { return assemble(p.model, p.config, report.network, report.curves); };
    const double scale = p.model.target_scale.size() == 1 ? p.model.target_scale[0] : 1.0;
    Progress progress{report.step, report.steps, report.network.units(), 0.0, {}, snapshot};
    progress.train_loss = p.model.loss.in_target_units(report.curves.train.back(), scale);
    if (!report.curves.validation.empty())
      progress.validation_loss = p.model.loss.in_target_units(report.curves.validation.back(), scale);
    return observer(progress) && !late;
  };
  Curves curves = p.model.network.steps() == 0 ? Curves{} : curves_of(p.model);
  TrainResult trained = train(task, p.model.network, std::move(curves), observe);
  trained.network.truncate(trained.best_step);
  if (trained.stop == Stop::observer && late) trained.stop = Stop::time;
  FitResult result{assemble(p.model, p.config, trained.network, trained.curves), p.config, trained.stop, "",
                   std::move(p.notes)};
  note_no_descent(result);
  return result;
}

/// Whether rows are kept out by wish of the user, to find the length on.
bool has_validation(const Config& config, const FitOptions& options) {
  return options.validation || config.validation_fraction > 0.0;
}

/// Alpha, bins and units as far as they are open, by rows held out; or those that a checkpoint was made with.
std::optional<Chosen> choose_settings(Prepared& p, const Rows& rows, std::span<const std::size_t> columns,
                                      const FitOptions& options, const Deadline& deadline) {
  if (p.constant) return std::nullopt;
  if (options.resume && p.config.automatic) {
    take_chosen(p.config, options.resume->provenance, options.overrides);
    return std::nullopt;
  }
  const auto training = split_rows(p, rows, options).train;
  p.training_rows = training.size();
  if (options.resume || !has_choice(p.config, options.overrides, training.size())) return std::nullopt;
  const std::size_t outputs = p.model.classes.size() > 2 ? p.model.classes.size() : rows.targets.cols();
  const auto go_on = [&](std::size_t done, std::size_t planned) {
    return !deadline.over(choosing_share) && (!options.choosing || options.choosing(done, planned));
  };
  Chosen chosen = choose({rows.from.table, columns, training, rows.targets, rows.weights, p.model, p.config,
                          options.overrides, outputs, options.backend, rows.workers, go_on, options.machine});
  const std::uint64_t units = p.config.units;
  p.config = chosen.config;
  if (has_validation(p.config, options)) p.config.units = units;  // the length is found on those rows
  p.model.provenance.choice = chosen.record;
  p.model.provenance.validation_loss = chosen.held_out;
  return chosen;
}

/// The model that choosing left behind, as the result of a fit.
FitResult stopped_early(const Prepared& p, const Chosen& chosen, Stop stop) {
  model::Model base = chosen.stopgap->model;
  base.provenance.choice = p.model.provenance.choice;
  base.provenance.validation_loss = p.model.provenance.validation_loss;
  base.provenance.version = core::version();
  FitResult result{assemble(base, p.config, base.network, chosen.stopgap->curves), p.config, stop, "", p.notes};
  result.notes.push_back(fmt::format("stopped before the fit of all rows was done: the network has seen {} of {} rows",
                                     base.provenance.training_rows, p.training_rows));
  return result;
}

/// Where time ran out on the fit of all rows: whether the rows held out expect more of the network that choosing left.
bool is_better(const Chosen& chosen, const FitResult& result) {
  const std::size_t steps = result.model.network.steps(), longer = chosen.stopgap->model.network.steps();
  return steps < longer && longer < chosen.held_out.size() && chosen.held_out[longer] < chosen.held_out[steps];
}

/// A table with what is to be learnt from it.
struct Opened {
  Prepared prepared;  ///< without rows yet
  Rows rows;
  std::vector<std::size_t> columns;  ///< to learn from
  std::size_t outputs;
  std::string task_reason;
};

Opened open_table(data::TableSource from, const FitOptions& options, core::Workers& workers) {
  const data::Table& table = from.table;
  const auto targets = target_columns(table, options.targets);
  auto columns = feature_columns(table, targets, options.weight_column);
  auto weights = read_weights(table, options.weight_column);
  data::Target target = data::read_target(table, targets, options.task, weights);
  check_size(table, target, weights);
  Prepared p;
  p.config = configure(options.preset, target.task, options.overrides);
  p.model.task = target.task;
  p.model.loss = loss_of(p.config);
  p.model.targets = target.names;
  p.model.classes = target.classes;
  const std::size_t outputs = target.outputs();
  return {std::move(p),
          {from, std::move(target.values), std::move(weights), workers},
          std::move(columns),
          outputs,
          target.reason};
}

/// Before anything is chosen, which takes long.
void check_machine(const FitOptions& options, const Config& config, std::size_t outputs) {
  if (!options.machine) return;
  if (const auto reason = options.machine->reason_against(config, outputs); !reason.empty())
    throw core::UsageError(fmt::format("--device {}: {}", options.machine->name(), reason));
}

FitResult fit_table(data::TableSource from, const FitOptions& options, const Observer& observer) {
  const Team team(options.workers);
  auto [p, rows, columns, outputs, task_reason] = open_table(from, options, *team.workers);
  check_machine(options, p.config, outputs);
  const Deadline deadline(p.config.time_limit);
  find_constants(p, rows, options);
  const auto chosen = choose_settings(p, rows, columns, options, deadline);
  if (chosen && chosen->ended && chosen->stopgap && !deadline.over(choosing_share)) {  // the user has had enough
    FitResult result = stopped_early(p, *chosen, Stop::observer);
    result.task_reason = task_reason;
    return result;
  }
  load_rows(p, std::move(rows), columns, options);
  p.model.provenance.data_fingerprint = fingerprint(p.train);
  if (options.resume) {
    const model::Model& checkpoint = *options.resume;
    if (checkpoint.provenance.parameters != settings_of(p.config))
      throw core::UsageError("the checkpoint was made with other parameters; start without --resume");
    if (checkpoint.provenance.data_fingerprint != p.model.provenance.data_fingerprint)
      throw core::UsageError("the checkpoint was made from other training rows; start without --resume");
    p.model = checkpoint;
  } else {
    p.model.network = start_network({p.config, p.train, outputs, nullptr, options.backend, *team.workers, {}});
  }
  FitResult result = run(p, options, *team.workers, observer, deadline);
  if (result.stop == Stop::time && chosen && chosen->stopgap && is_better(*chosen, result))
    result = stopped_early(p, *chosen, Stop::time);
  result.task_reason = task_reason;
  return result;
}

FitResult grow_table(const model::Model& model, data::TableSource from, const FitOptions& options,
                     const Observer& observer) {
  model::require_grown(model, "grow");
  Prepared p;
  p.model = model;
  if (model.provenance.choice.trials.empty()) p.model.provenance.validation_loss.clear();
  for (const auto& [name, text] : model.provenance.parameters) set(p.config, parameter_named(name), text);
  const std::uint64_t bins = p.config.bins;
  for (const auto& [name, text] : options.overrides) set(p.config, parameter_named(name), text);
  resolve(p.config, model.task);
  if (p.config.activation != model.network.activation().name())
    throw core::UsageError(fmt::format("the model's units are {}; --activation cannot change when it grows",
                                       model.network.activation().name()));
  if (p.config.bins != bins)
    throw core::UsageError(
        fmt::format("the model's columns were cut with --bins {}, which cannot change when it grows", bins));
  if (p.config.units <= model.network.units())
    throw core::UsageError(fmt::format("--units {}: the model already has {}", p.config.units, model.network.units()));
  if (p.config.units - model.network.units() < p.config.units_per_step)
    throw core::UsageError(fmt::format("--units {}: {} more is less than the {} units of a step", p.config.units,
                                       p.config.units - model.network.units(), p.config.units_per_step));
  check_machine(options, p.config, model.network.outputs());
  p.model.loss = loss_of(p.config);
  std::vector<std::size_t> targets;
  for (const auto& name : model.targets) targets.push_back(from.table.require(name));
  const Team team(options.workers);
  auto values = data::read_target_as(from.table, targets, model.task, model.classes);
  auto weights = read_weights(from.table, options.weight_column);
  load_rows(p, {from, std::move(values), std::move(weights), *team.workers}, {}, options);
  const std::uint64_t rows = fingerprint(p.train);
  if (rows != model.provenance.data_fingerprint)
    p.notes.push_back(
        "these are not the rows the model was trained on; its units stay, the new ones are fitted to these rows");
  p.model.provenance.data_fingerprint = rows;
  return run(p, options, *team.workers, observer, Deadline(p.config.time_limit));
}

}  // namespace

Prepared prepare_fit(const data::Table& table, const FitOptions& options) {
  const Team team(options.workers);
  auto [p, rows, columns, outputs, task_reason] = open_table({table}, options, *team.workers);
  find_constants(p, rows, options);
  choose_settings(p, rows, columns, options, Deadline(p.config.time_limit));
  load_rows(p, std::move(rows), columns, options);
  p.model.network = start_network({p.config, p.train, outputs, nullptr, options.backend, *team.workers, {}});
  return std::move(p);
}

FitResult fit(const data::Table& table, const FitOptions& options, const Observer& observer) {
  return fit_table({table}, options, observer);
}

FitResult fit(data::Table&& table, const FitOptions& options, const Observer& observer) {
  data::Table mine = std::move(table);
  return fit_table({mine, &mine}, options, observer);
}

FitResult grow(const model::Model& model, const data::Table& table, const FitOptions& options,
               const Observer& observer) {
  return grow_table(model, {table}, options, observer);
}

FitResult grow(const model::Model& model, data::Table&& table, const FitOptions& options, const Observer& observer) {
  data::Table mine = std::move(table);
  return grow_table(model, {mine, &mine}, options, observer);
}

}  // namespace accrete::boosting
