#include "accrete/boosting/train_model.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "accrete/boosting/notes.hpp"
#include "accrete/boosting/train.hpp"
#include "accrete/boosting/validation_metric.hpp"
#include "accrete/config/parameters.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/core/version.hpp"

namespace accrete::boosting {
namespace {

double in_target_units(const model::Model& model, double loss) {
  return model.target_scale.size() == 1 ? model.loss.in_target_units(loss, model.target_scale[0]) : loss;
}

/// The model with this network and these curves.
model::Model assemble(const model::Model& base, const config::ResolvedConfig& config, const network::Network& network,
                      const Curves& curves) {
  model::Model model = base;
  model.network = network;
  model.provenance.parameters = config::settings_of(config);
  const auto convert = [&](std::vector<double> values) {
    for (double& v : values) v = in_target_units(base, v);
    return values;
  };
  model.provenance.train_loss = convert(curves.train);
  // Without a validation set, the held-out curve from choosing is kept.
  if (!curves.validation.empty()) model.provenance.validation_loss = convert(curves.validation);
  return model;
}

/// The training curve of a model's steps. Empty if it is stored in other units than training uses, because converting
/// it back would round; the loop then recomputes it, as it does the validation curve: the model's may be of other rows.
Curves curves_of(const model::Model& model) {
  const std::size_t points = model.network.steps() + 1;
  if (points == 1) return {};
  const bool same_units = model.target_scale.size() != 1 || model.target_scale[0] == 1.0;
  Curves curves{.train = model.provenance.train_loss};
  if (!same_units || curves.train.size() < points) return {};
  curves.train.resize(points);
  return curves;
}

/// Early stopping may end the fit before all planned steps.
double expected_length(const PreparedFit& fit, const StepReport& report) {
  const std::vector<double>& curve = report.curves.metric.empty() ? report.curves.validation : report.curves.metric;
  const std::size_t patience = fit.config.patience / fit.config.units_per_step;
  if (curve.empty() || patience == 0) return static_cast<double>(report.steps);
  const auto best = static_cast<std::size_t>(std::ranges::min_element(curve) - curve.begin());
  return expected_steps(report.step, best, patience, report.steps);
}

/// first: steps of the network before training; before: work before training.
TimeEstimate estimate_time(PreparedFit& fit, const StepReport& report, std::size_t first, double before) {
  const auto rows = static_cast<double>(fit.training_rows), start = static_cast<double>(first);
  const double done = static_cast<double>(report.step) - start, all = expected_length(fit, report) - start;
  return fit.time.at({before + rows * done, before + rows * std::max(done, all)});
}

Progress make_progress(const PreparedFit& fit, const StepReport& report, const TimeEstimate& time) {
  Progress progress{.step = report.step,
                    .steps = report.steps,
                    .units = report.network.units(),
                    .train_loss = in_target_units(fit.model, report.curves.train.back()),
                    .time = time};
  if (!report.curves.validation.empty())
    progress.validation_loss = in_target_units(fit.model, report.curves.validation.back());
  progress.snapshot = [&fit = fit, &report = report] {
    return assemble(fit.model, fit.config, report.network, report.curves);
  };
  return progress;
}

}  // namespace

FitResult train_model(PreparedFit& fit, const FitOptions& options, core::Workers& workers, const Deadline& deadline,
                      const Observer& observer) {
  config::ResolvedConfig config = fit.config;
  if (fit.is_constant)
    config.units = 0;
  else
    note_dropped_units(fit);
  fit.model.provenance.version = core::version();
  fit.model.provenance.training_rows = fit.training_rows;
  const TrainTask task{.config = config,
                       .data = fit.train,
                       .outputs = fit.outputs,
                       .validation = fit.validation ? &*fit.validation : nullptr,
                       .backend = options.backend,
                       .workers = workers,
                       .device = options.device,
                       .custom_loss = fit.custom_loss,
                       .metric = validation_metric(fit, options),
                       .is_out_of_time = [&] { return deadline.has_passed(); },
                       .constraints = fit.constraints ? &*fit.constraints : nullptr,
                       .comm = ranks_of(options)};
  const double work_before = fit.time.done();
  fit.time.begin_phase();
  const std::size_t first = fit.model.network.steps();
  bool out_of_time = false;
  const auto observe = [&](const StepReport& report) {
    out_of_time = deadline.has_passed();
    const TimeEstimate time = estimate_time(fit, report, first, work_before);
    if (report.step == first + 1) fit.time.begin_phase();  // the first step includes the setup
    return (!observer || observer(make_progress(fit, report, time))) && !out_of_time;
  };
  TrainResult trained = train(task, fit.model.network, curves_of(fit.model), observe);
  trained.network.truncate(trained.best_step);
  if (trained.stop == Stop::observer && out_of_time) trained.stop = Stop::time;
  FitResult result{.model = assemble(fit.model, fit.config, trained.network, trained.curves),
                   .config = fit.config,
                   .stop = trained.stop,
                   .task_reason = fit.task_reason,
                   .units_reason = fit.units_reason,
                   .notes = std::move(fit.notes)};
  if (!trained.curves.metric.empty())
    result.validation_metric = metric_value(fit, options, trained.curves.metric[trained.best_step]);
  if (trained.best_step == 0 && trained.curves.train.size() > 1) note_no_units_kept(result);
  note_no_descent(result, options.config);
  return result;
}

FitResult fallback_result(const PreparedFit& fit, const ChosenSettings& chosen, Stop stop) {
  model::Model base = chosen.fallback->model;
  base.provenance.choice = fit.model.provenance.choice;
  base.provenance.validation_loss = fit.model.provenance.validation_loss;
  base.provenance.version = core::version();
  config::ResolvedConfig config = fit.config;
  config.learning_rate = chosen.fallback->learning_rate;
  FitResult result{.model = assemble(base, config, base.network, chosen.fallback->curves),
                   .config = config,
                   .stop = stop,
                   .task_reason = fit.task_reason,
                   .notes = fit.notes};
  result.notes.push_back(core::message("stopped before all rows were fitted: the network has seen {} of {} rows",
                                       base.provenance.training_rows, fit.training_rows));
  return result;
}

bool is_fallback_better(const ChosenSettings& chosen, const FitResult& result) {
  if (chosen.is_of_sample && result.model.network.steps() > 0) return false;
  const std::size_t steps = result.model.network.steps(), longer = chosen.fallback->model.network.steps();
  const std::vector<double>& loss = chosen.held_out_loss;
  // The result was trained on one fold more than the network that had this held-out loss, which is assumed to lower its
  // loss by this share.
  constexpr double gain_of_all_rows = 0.03;
  return steps < longer && longer < loss.size() && loss[longer] < (1.0 - gain_of_all_rows) * loss[steps];
}

}  // namespace accrete::boosting
