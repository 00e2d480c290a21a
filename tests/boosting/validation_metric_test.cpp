// Early stopping by a metric instead of the loss.

#include "accrete/boosting/validation_metric.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "accrete/core/error.hpp"
#include "accrete/core/random.hpp"
#include "accrete/metric/list.hpp"

namespace accrete::boosting::validation_metric_test {
namespace {

/// Two numbers and a noisy target: classes if `classes`.
data::Table make_table(std::size_t rows, bool classes, std::uint64_t seed = 5) {
  data::Table table{.source = "made up", .columns = {{.name = "a"}, {.name = "b"}, {.name = "y"}}};
  core::Rng rng(seed, 0, core::Purpose::generator);
  for (std::size_t r = 0; r < rows; ++r) {
    const double a = rng.normal(), b = rng.normal(), z = a * b + 0.7 * rng.normal();
    table.columns[0].numbers.push_back(static_cast<float>(a));
    table.columns[1].numbers.push_back(static_cast<float>(b));
    table.columns[2].numbers.push_back(static_cast<float>(classes ? (z > 0.0 ? 1.0 : 0.0) : 50.0 + 10.0 * z));
  }
  return table;
}

FitOptions options_for(const data::Table& validation, data::Task task, const std::string& metric) {
  static core::Workers one(1);
  FitOptions options;
  options.task = task;
  options.config = {.units = 120, .units_per_step = 4, .learning_rate = 0.5, .metric = metric, .automatic = false};
  options.validation = &validation;
  options.workers = &one;
  return options;
}

/// The metric of every prefix of the network that is grown to its last unit.
std::vector<double> metric_curve(const data::Table& table, const data::Table& validation, data::Task task,
                                 const std::string& name) {
  FitOptions options = options_for(validation, task, "loss");
  options.validation = nullptr;
  const model::Model model = fit(table, options).model;
  const auto targets = data::read_target_as(validation, std::vector<std::size_t>{2}, task, model.classes);
  std::vector<double> values;
  model::predict_staged(model, validation, *options.workers, [&](std::size_t, core::MatrixView<const double> p) {
    values.push_back(metric::Metric::named(name).value({p, targets, {}}));
  });
  return values;
}

TEST(ValidationMetric, KeepsThePrefixWithTheBestMetric) {
  for (const auto& [task, name] : {std::pair{data::Task::binary, "auc"},
                                   {data::Task::binary, "f1"},
                                   {data::Task::regression, "mape"},
                                   {data::Task::regression, "r2"}}) {
    const bool classes = task == data::Task::binary;
    const auto table = make_table(200, classes), validation = make_table(150, classes, 6);
    const FitResult result = fit(table, options_for(validation, task, name));
    std::vector<double> curve = metric_curve(table, validation, task, name);
    if (!metric::Metric::named(name).higher_is_better())
      for (double& value : curve) value = -value;
    const auto best = std::ranges::max_element(curve);
    EXPECT_EQ(result.model.network.steps(), static_cast<std::size_t>(best - curve.begin())) << name;
    ASSERT_TRUE(result.validation_metric) << name;
    EXPECT_NEAR(std::abs(*result.validation_metric), std::abs(*best), 1e-6) << name;
  }
}

TEST(ValidationMetric, ResumesToTheSameModel) {
  const auto table = make_table(200, true), validation = make_table(150, true, 6);
  FitOptions options = options_for(validation, data::Task::binary, "auc");
  const auto whole = fit(table, options);
  std::optional<model::Model> checkpoint;
  fit(table, options, [&](const Progress& p) {
    if (p.step == 12) checkpoint = p.snapshot();
    return !checkpoint;
  });
  options.resume = &*checkpoint;
  const auto resumed = fit(table, options);
  EXPECT_EQ(resumed.model.network.units(), whole.model.network.units());
  EXPECT_EQ(resumed.validation_metric, whole.validation_metric);
}

TEST(ValidationMetric, IsTheLossUnlessGiven) {
  const auto table = make_table(200, true), validation = make_table(150, true, 6);
  const FitResult result = fit(table, options_for(validation, data::Task::binary, "loss"));
  EXPECT_FALSE(result.validation_metric);
  const auto& curve = result.model.provenance.validation_loss;
  EXPECT_EQ(result.model.network.steps(), static_cast<std::size_t>(std::ranges::min_element(curve) - curve.begin()));
}

TEST(ValidationMetric, RefusesAMetricOfAnotherTaskOrWithoutAValue) {
  const auto table = make_table(200, true);
  auto validation = make_table(20, true, 6);
  EXPECT_THROW(fit(table, options_for(validation, data::Task::binary, "rmse")), core::UsageError);
  std::ranges::fill(validation.columns[2].numbers, 1.0f);
  EXPECT_THROW(fit(table, options_for(validation, data::Task::binary, "auc")), core::DataError);
}

/// A wave with a few far outliers, which the squared loss follows and the mean absolute error does not.
data::Table make_outliers(std::size_t rows, std::uint64_t seed) {
  data::Table table = make_table(rows, false, seed);
  core::Rng rng(seed, 1, core::Purpose::generator);
  for (std::size_t r = 0; r < rows; ++r) {
    const double noise = rng.uniform() < 0.03 ? 20.0 * rng.normal() : 0.05 * rng.normal();
    table.columns[2].numbers[r] = static_cast<float>(std::sin(4.0 * table.columns[0].numbers[r]) + noise);
  }
  return table;
}

/// The settings that were tried on held-out rows, the winner first.
std::vector<model::Trial> trials_by(const std::string& metric, std::uint64_t seed) {
  const auto table = make_outliers(240, seed), validation = make_outliers(60, seed + 100);
  FitOptions options = options_for(validation, data::Task::regression, metric);
  options.config = {.max_iter = 4, .metric = metric};
  return fit(table, options).model.provenance.choice.trials;
}

TEST(ValidationMetric, DecidesWhichSettingsAreChosen) {
  std::size_t others = 0;
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const auto has_smallest_loss = [](const std::vector<model::Trial>& trials) {
      return std::ranges::none_of(trials, [&](const model::Trial& trial) { return trial.loss < trials.front().loss; });
    };
    const auto by_loss = trials_by("loss", seed), by_mae = trials_by("mae", seed);
    ASSERT_EQ(by_loss.size(), by_mae.size());
    others += !has_smallest_loss(by_mae) && by_mae.front().parameters != by_loss.front().parameters;
  }
  EXPECT_GE(others, 1u) << "the metric and the loss prefer different settings";
}

}  // namespace
}  // namespace accrete::boosting::validation_metric_test
