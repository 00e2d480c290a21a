#include "accrete/tune/cross_validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "accrete/boosting/read.hpp"
#include "accrete/boosting/split.hpp"
#include "accrete/config/preset.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/metric/list.hpp"
#include "accrete/model/offsets.hpp"
#include "accrete/model/staged_rows.hpp"
#include "accrete/network/forward.hpp"
#include "accrete/tune/device_batch.hpp"
#include "accrete/tune/problem.hpp"
#include "accrete/tune/runs/shared_folds.hpp"
#include "accrete/tune/scores.hpp"

namespace accrete::tune {
namespace {

/// Read-only state shared by all fits.
struct FoldContext {
  const data::Table& table;
  const boosting::FitOptions& options;
  const CrossValidation& how;
  const data::Target& target;
  const config::ResolvedConfig& config;
};

core::Matrix<double> targets_of(const FoldContext& context, std::span<const std::size_t> rows) {
  core::Matrix<double> targets(rows.size(), context.target.values.cols());
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::ranges::copy(context.target.values.row(rows[i]), targets.row(i).begin());
  return targets;
}

/// The primary metric of the model's task.
double primary_score(const model::Model& model, core::MatrixView<const double> predictions,
                     core::MatrixView<const double> targets) {
  return metric::Metric::named(metric::primary(model.task)).value({predictions, targets, {}, model.point()});
}

/// Options of one fold's fit, without rows and workers.
boosting::FitOptions fold_options(const FoldContext& context, std::size_t repeat) {
  boosting::FitOptions options = context.options;
  options.task = context.target.task;  // the same task for all folds, even if one fold's rows suggest another
  options.config.seed = context.config.seed + repeat;
  options.choosing = [&context](const boosting::TimeEstimate&) { return !context.how.stop || !context.how.stop(); };
  return options;
}

/// Predicts the test rows with the complete network, and after each step for a curve, and computes the metrics.
void score_test_rows(const FoldContext& context, const model::Model& model, std::span<const std::size_t> rows,
                     FoldScore& score) {
  core::Workers one(1);
  const model::StagedRows features(model.encoder, context.table, rows);
  const core::Matrix<double> targets = targets_of(context, rows);
  const std::size_t steps = model.network.steps();
  const std::vector<double> offsets = offsets_of(model, context.table, rows);
  const auto predict = [&](core::MatrixView<const double> scores) {
    return model::apply_link(model, model::offset_scores(model, offsets, scores));
  };
  const auto predictions = predict(network::forward(model.network, features.tiles(), steps, one));
  score.metrics = metric::all_for(model.task, {predictions, targets, {}, model.point()});
  if (!context.how.curve) return;
  network::forward_staged(
      model.network, features.tiles(), one, [&](std::size_t s, core::MatrixView<const double> scores) {
        if (s == 0) return;
        score.curve.emplace_back(model.network.units_after(s), primary_score(model, predict(scores), targets));
      });
}

/// The executor of a fit: threads, or a device together with threads.
struct Fitter {
  core::Workers& workers;
  backend::FitDevice* device = nullptr;
};

/// Returns nullopt if stopped.
std::optional<FoldScore> run_fold(const FoldContext& context, const data::Split& split, std::size_t which,
                                  const Fitter& by) {
  const auto start = std::chrono::steady_clock::now();
  const std::size_t repeat = which / context.how.folds, fold = which % context.how.folds;
  boosting::FitOptions options = fold_options(context, repeat);
  options.rows = split.train;
  options.workers = &by.workers;
  options.device = by.device;
  const auto& stop = context.how.stop;
  if (stop && stop()) return std::nullopt;
  const auto result =
      boosting::fit(context.table, options, [&](const boosting::Progress&) { return !stop || !stop(); });
  if (result.stop == boosting::Stop::observer || (stop && stop())) return std::nullopt;
  const model::Model& model = result.model;
  FoldScore score{.repeat = repeat,
                  .fold = fold,
                  .train_rows = split.train.size(),
                  .test_rows = split.test.size(),
                  .units = model.network.units(),
                  .out_of_time = result.stop == boosting::Stop::time};
  score.train_loss = model.provenance.train_loss.at(model.network.steps());
  score_test_rows(context, model, split.test, score);
  score.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return score;
}

/// The score of a fold from a device's results.
FoldScore fold_score(const FoldContext& context, const DeviceBatch& batch, std::size_t which,
                     const backend::FitScores& scores, const data::Split& split) {
  const model::Model& model = batch.model(which);
  if (!std::isfinite(scores.train_loss))
    throw core::Diverged(core::message("in fold {} the loss is no longer finite; try a lower {}", which,
                                       core::parameter("learning_rate")));
  FoldScore score{.repeat = which / context.how.folds,
                  .fold = which % context.how.folds,
                  .train_rows = split.train.size(),
                  .test_rows = split.test.size(),
                  .units = batch.units(which)};
  const double scale = model.target_scale.size() == 1 ? model.target_scale[0] : 1.0;
  score.train_loss = model.loss.in_target_units(scores.train_loss, scale);
  const core::Matrix<double> targets = targets_of(context, split.test);
  const std::size_t last = scores.prefixes.size() - 1;
  score.metrics = metric::all_for(model.task, {batch.predictions(which, scores, last), targets, {}, model.point()});
  if (!context.how.curve) return score;
  for (std::size_t p = 0; p <= last && batch.units(which) > 0; ++p)
    score.curve.emplace_back(batch.fit(which).prefixes[p] * batch.fit(which).config.units_per_step,
                             primary_score(model, batch.predictions(which, scores, p), targets));
  return score;
}

using Slots = std::vector<std::optional<FoldScore>>;

/// One fit per thread, of this process or of any rank.
void run_on_threads(const FoldContext& context, std::span<const data::Split> splits, core::Workers& workers,
                    Slots& scores) {
  scores = run_folds(splits.size(), context.how, workers, [&](std::size_t i, const std::function<bool()>& stop) {
    core::Workers one(1);
    CrossValidation how = context.how;
    how.stop = stop;
    return run_fold({context.table, context.options, how, context.target, context.config}, splits[i], i, {one});
  });
}

/// True if a fit may stop before its last unit, which a device cannot do when it runs all fits at once.
bool ends_by_itself(const config::ResolvedConfig& config) {
  return config.validation_fraction > 0.0 || config.time_limit > 0.0;
}

/// Runs the fits one at a time, each on the whole device.
void run_sequentially(const FoldContext& context, std::span<const data::Split> splits, core::Workers& workers,
                      Slots& scores) {
  for (std::size_t i = 0; i < splits.size(); ++i) {
    scores[i] = run_fold(context, splits[i], i, {workers, context.how.device});
    if (!scores[i]) return;
    if (context.how.done) context.how.done(i + 1, splits.size());
  }
}

/// Runs all fits at once; unset parameters are chosen first, fit by fit.
void run_on_device(const FoldContext& context, std::span<const data::Split> splits, core::Workers& workers,
                   Slots& scores) {
  const auto start = std::chrono::steady_clock::now();
  DeviceBatch batch(context.table, *context.how.device);
  for (std::size_t i = 0; i < splits.size(); ++i) {
    boosting::FitOptions options = fold_options(context, i / context.how.folds);
    options.workers = &workers;
    batch.add(splits[i], std::move(options),
              context.how.curve ? DeviceBatch::Scored::every_step : DeviceBatch::Scored::whole);
    if (context.how.stop && context.how.stop()) return;
  }
  std::size_t done = 0;
  backend::FitCallbacks callbacks;
  callbacks.stop = context.how.stop;
  callbacks.done = [&](std::size_t which, const backend::FitScores& found) {
    scores[which] = fold_score(context, batch, which, found, splits[which]);
    scores[which]->seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / static_cast<double>(++done);
    if (context.how.done) context.how.done(done, splits.size());
  };
  batch.run(callbacks);
}

}  // namespace

Summary CrossValidationResult::of_metric(const std::string& name) const {
  std::vector<double> values;
  for (const FoldScore& fold : folds)
    for (const auto& [metric_name, value] : fold.metrics)
      if (metric_name == name && !std::isnan(value)) values.push_back(value);
  return summarise(values);
}

Summary CrossValidationResult::train_loss() const {
  std::vector<double> values;
  for (const FoldScore& fold : folds) values.push_back(fold.train_loss);
  return summarise(values);
}

std::vector<std::pair<std::size_t, double>> CrossValidationResult::curve() const {
  std::vector<std::pair<std::size_t, double>> mean;
  if (folds.empty()) return mean;
  std::size_t points = folds.front().curve.size();
  for (const FoldScore& fold : folds) points = std::min(points, fold.curve.size());
  for (std::size_t i = 0; i < points; ++i) {
    mean.emplace_back(folds.front().curve[i].first, 0.0);
    for (const FoldScore& fold : folds) mean.back().second += fold.curve[i].second / static_cast<double>(folds.size());
  }
  return mean;
}

std::vector<data::Split> draw_all_folds(const Problem& problem, const CrossValidation& how, std::uint64_t seed) {
  if (how.repeats == 0) throw core::UsageError(core::parameter("repeats", 0), "must be at least 1");
  const auto rows = boosting::all_rows(problem.table.rows());
  std::vector<data::Split> splits;
  for (std::size_t r = 0; r < how.repeats; ++r)
    for (data::Split& split : draw_folds(problem, rows, {how.folds, seed, r})) splits.push_back(std::move(split));
  return splits;
}

void take_scores(std::vector<std::optional<FoldScore>> scores, CrossValidationResult& result) {
  for (auto& score : scores) {
    if (score)
      result.folds.push_back(std::move(*score));
    else
      result.stopped = true;
  }
}

CrossValidationResult cross_validate(const data::Table& table, const boosting::FitOptions& options,
                                     const CrossValidation& how, core::Workers& workers) {
  if (!options.rows.empty() || options.validation || options.resume || options.workers)
    throw core::UsageError("rows, validation, resume and workers must not be set, because cross-validation sets them");
  const Problem problem = read_problem(table, options.targets, boosting::task_of(options));
  const data::Target& target = problem.target;
  CrossValidationResult result{
      .task = target.task, .task_reason = target.reason, .metric = metric::primary(target.task)};
  result.config = config::configure(options.preset, target.task, options.config);
  const std::vector<data::Split> splits = draw_all_folds(problem, how, result.config.seed);
  if (auto scarce = note_scarce_class(problem, how.folds)) result.notes.push_back(std::move(*scarce));

  const FoldContext context{table, options, how, target, result.config};
  Slots scores(splits.size());
  const auto run = !how.device ? run_on_threads : ends_by_itself(result.config) ? run_sequentially : run_on_device;
  run(context, splits, workers, scores);
  take_scores(std::move(scores), result);
  return result;
}

}  // namespace accrete::tune
