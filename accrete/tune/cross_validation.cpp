#include "accrete/tune/cross_validation.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>

#include "accrete/boosting/prepare.hpp"
#include "accrete/boosting/preset.hpp"
#include "accrete/core/error.hpp"
#include "accrete/metric/list.hpp"
#include "accrete/network/forward.hpp"
#include "accrete/tune/problem.hpp"

namespace accrete::tune {
namespace {

/// What all fits share; read by many threads, written by none.
struct Study {
  const data::Table& table;
  const boosting::FitOptions& options;
  const CrossValidation& how;
  const data::Target& target;
  const boosting::Config& config;
};

/// Predictions of the test rows, whole or after each step, into metrics.
void score_test_rows(const Study& study, const model::Model& model, std::span<const std::size_t> rows,
                     FoldScore& score) {
  core::Workers one(1);
  const core::TiledMatrix features = model.encoder.encode(study.table, rows);
  core::Matrix<double> targets(rows.size(), study.target.values.cols());
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::ranges::copy(study.target.values.row(rows[i]), targets.row(i).begin());
  const std::size_t steps = model.network.steps();
  const auto predictions = model::apply_link(model, network::forward(model.network, features, steps, one));
  score.metrics = metric::all_for(model.task, {predictions, targets, {}});
  if (!study.how.curve) return;
  const auto primary = metric::Metric::named(metric::primary(model.task));
  network::forward_staged(model.network, features, one, [&](std::size_t s, core::MatrixView<const double> scores) {
    if (s == 0) return;
    const auto staged = model::apply_link(model, scores);
    score.curve.emplace_back(model.network.units_after(s), primary.value({staged, targets, {}}));
  });
}

/// Nothing when it was stopped.
std::optional<FoldScore> run_fold(const Study& study, const data::Split& split, std::size_t repeat, std::size_t fold) {
  const auto start = std::chrono::steady_clock::now();
  core::Workers one(1);
  boosting::FitOptions options = study.options;
  options.rows = split.train;
  options.workers = &one;
  options.task = study.target.task;  // one for all folds, whatever some of the rows would suggest
  options.overrides.emplace_back("seed", std::to_string(study.config.seed + repeat));
  const auto& stop = study.how.stop;
  if (stop && stop()) return std::nullopt;
  options.choosing = [&](std::size_t, std::size_t) { return !stop || !stop(); };
  const auto result = boosting::fit(study.table, options, [&](const boosting::Progress&) { return !stop || !stop(); });
  if (result.stop == boosting::Stop::observer || (stop && stop())) return std::nullopt;
  const model::Model& model = result.model;
  FoldScore score{repeat, fold, split.train.size(), split.test.size(), {}, 0.0, model.network.units(), 0.0, {}};
  score.train_loss = model.provenance.train_loss.at(model.network.steps());
  score_test_rows(study, model, split.test, score);
  score.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return score;
}

}  // namespace

Summary CrossValidationResult::of_metric(const std::string& name) const {
  std::vector<double> values;
  for (const FoldScore& fold : folds)
    for (const auto& [metric_name, value] : fold.metrics)
      if (metric_name == name) values.push_back(value);
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

CrossValidationResult cross_validate(const data::Table& table, const boosting::FitOptions& options,
                                     const CrossValidation& how, core::Workers& workers) {
  if (!options.rows.empty() || options.validation || options.resume || options.workers)
    throw core::UsageError("cross-validation chooses rows, validation part and threads itself");
  if (how.repeats == 0) throw core::UsageError("--repeats 0: must be at least 1");
  const Problem problem = read_problem(table, options.targets, options.task);
  const data::Target& target = problem.target;
  CrossValidationResult result{target.task, target.reason, metric::primary(target.task), {}, {}, false};
  result.config = boosting::configure(options.preset, target.task, options.overrides);
  std::vector<data::Split> splits;
  const auto rows = boosting::all_rows(table.rows());
  for (std::size_t r = 0; r < how.repeats; ++r)
    for (data::Split& split : draw_folds(problem, rows, {how.folds, result.config.seed, r}))
      splits.push_back(std::move(split));

  const Study study{table, options, how, target, result.config};
  std::vector<std::optional<FoldScore>> scores(splits.size());
  std::mutex reporting;
  std::size_t done = 0;
  workers.run(splits.size(), [&](std::size_t i) {
    scores[i] = run_fold(study, splits[i], i / how.folds, i % how.folds);
    const std::scoped_lock lock(reporting);
    if (scores[i] && how.done) how.done(++done, splits.size());
  });
  for (auto& score : scores) {
    if (score)
      result.folds.push_back(std::move(*score));
    else
      result.stopped = true;
  }
  return result;
}

}  // namespace accrete::tune
