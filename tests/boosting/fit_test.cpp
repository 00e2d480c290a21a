#include "accrete/boosting/fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "accrete/boosting/encode.hpp"
#include "accrete/boosting/split.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/version.hpp"
#include "tests/boosting/samples.hpp"

namespace accrete::boosting::fit_test {
namespace {

/// The features of a sample, then the given columns.
data::Table table_of(const Sample& s, std::vector<std::pair<std::string, std::vector<double>>> more) {
  data::Table table;
  table.source = "made up";
  for (std::size_t c = 0; c < s.data.features.cols(); ++c) {
    table.columns.push_back({.name = "x" + std::to_string(c)});
    for (std::size_t r = 0; r < s.data.rows(); ++r) table.columns.back().numbers.push_back(s.data.features.at(r, c));
  }
  for (auto& [name, values] : more) table.columns.push_back({.name = name, .numbers = {values.begin(), values.end()}});
  return table;
}

std::vector<double> target_of(const Sample& s, std::size_t column = 0) {
  std::vector<double> y;
  for (std::size_t r = 0; r < s.data.rows(); ++r) y.push_back(s.data.targets(r, column));
  return y;
}

data::Table table_of(const Sample& s) {
  return table_of(s, {{"y", target_of(s)}});
}

core::Workers& workers() {
  static core::Workers one(1);
  return one;
}

FitOptions options_for(data::Task task, config::Config config) {
  FitOptions options;
  options.task = task;
  options.config = std::move(config);
  options.config.automatic = false;  // see choose_test.cpp
  options.workers = &workers();
  return options;
}

std::vector<double> first_column(const model::Model& model, const data::Table& table) {
  const auto p = model::predict(model, table, model.network.steps(), workers());
  std::vector<double> column;
  for (std::size_t r = 0; r < p.rows(); ++r) column.push_back(p(r, 0));
  return column;
}

TEST(Fit, RecordsTheVersion) {
  const auto model = fit(table_of(make_sample("number", 60)), options_for(data::Task::regression, {.units = 4})).model;
  EXPECT_EQ(model.provenance.version, core::version());
}

TEST(Fit, EndsADescentSoonerAboveTheToleranceFloor) {
  const data::Table table = table_of(make_sample("number", 60));
  const auto loss_of = [&](double floor) {
    const config::Config config{.units = 4, .max_iter = 50, .tolerance = 1e-6, .tolerance_floor = floor};
    return fit(table, options_for(data::Task::regression, config)).model.provenance.train_loss.back();
  };
  EXPECT_GT(loss_of(1e9), loss_of(0.0));
}

TEST(Fit, NeedsNoUnitsForAConstantTarget) {
  const Sample s = make_sample("number", 60);
  std::vector<double> y(60, 0.1);
  y[59] = 7.0;
  const data::Table table = table_of(s, {{"y", y}});
  FitOptions options = options_for(data::Task::regression, {.units = 40});
  options.rows = all_rows(59);
  const FitResult constant = fit(table, options);
  EXPECT_EQ(constant.model.network.units(), 0u);
  EXPECT_EQ(first_column(constant.model, table), std::vector<double>(60, static_cast<double>(0.1f)));
  ASSERT_EQ(constant.notes.size(), 1u);
  EXPECT_NE(constant.notes[0].text().find("in every training row"), std::string::npos);
  options.rows = all_rows(60);
  EXPECT_EQ(fit(table, options).model.network.units(), 40u);
}

TEST(Fit, LeavesTheQuantilesShareOfTargetsBelow) {
  const Sample s = make_sample("number", 600);
  const data::Table table = table_of(s);
  for (const double q : {0.1, 0.5, 0.9}) {
    const auto result = fit(
        table,
        options_for(data::Task::regression,
                    {.units = 80, .learning_rate = 0.1, .loss = "quantile", .objective = "residual", .quantile = q}));
    const auto predicted = first_column(result.model, table);
    double below = 0.0;
    for (std::size_t r = 0; r < 600; ++r) below += s.data.targets(r, 0) <= predicted[r];
    EXPECT_NEAR(below / 600.0, q, 0.06) << q;
    const auto& curve = result.model.provenance.train_loss;
    EXPECT_LT(curve.back(), 0.9 * curve.front()) << q;
  }
}

TEST(Fit, BeatsTheConstantWithHuberAndPoisson) {
  Sample s = make_sample("number", 400);
  for (std::size_t r = 0; r < 400; r += 40) s.data.targets(r, 0) += 30.0;
  core::Rng rng(5, 0, core::Purpose::generator);
  std::vector<double> counts;
  for (std::size_t r = 0; r < 400; ++r) {
    const double mean = std::exp(0.5 * s.data.features.at(r, 0));
    double k = 0, p = std::exp(-mean), u = rng.uniform();
    for (double sum = p; u > sum && k < 100; sum += p) p *= mean / ++k;
    counts.push_back(k);
  }
  for (const char* objective : {"direct", "residual"}) {
    const auto options = [&](const char* loss) {
      return options_for(data::Task::regression, {.units = 40, .loss = loss, .objective = objective});
    };
    const auto huber = fit(table_of(s), options("huber")).model.provenance.train_loss;
    EXPECT_LT(huber.back(), 0.9 * huber.front()) << objective;
    const auto table = table_of(s, {{"y", counts}});
    const auto poisson = fit(table, options("poisson")).model;
    EXPECT_LT(poisson.provenance.train_loss.back(), poisson.provenance.train_loss.front() - 0.05) << objective;
    for (double p : first_column(poisson, table)) EXPECT_GT(p, 0.0);
  }
}

TEST(Fit, LearnsTwoTargetsInTheirOwnUnits) {
  const Sample s = make_sample("pair", 300);
  auto second = target_of(s, 1);
  for (double& y : second) y *= 100.0;
  const auto table = table_of(s, {{"a", target_of(s)}, {"b", second}});
  auto options = options_for(data::Task::regression, {.units = 80, .learning_rate = 0.3});
  options.targets = {"a", "b"};
  const auto model = fit(table, options).model;
  const auto p = model::predict(model, table, model.network.steps(), workers());
  ASSERT_EQ(p.cols(), 2u);
  for (std::size_t k = 0; k < 2; ++k) {
    const auto& y = table.columns[6 + k].numbers;
    double mean = 0, left = 0, spread = 0;
    for (float v : y) mean += v / 300.0;
    for (std::size_t r = 0; r < 300; ++r) left += std::pow(y[r] - p(r, k), 2), spread += std::pow(y[r] - mean, 2);
    EXPECT_LT(left, 0.15 * spread) << k;
  }
}

TEST(Fit, TreatsAWeightOfTwoAsTheRowTwice) {
  const Sample s = make_sample("binary", 120);
  std::vector<double> weights, repeated_y, y = target_of(s);
  std::vector<std::size_t> repeated;
  for (std::size_t r = 0; r < 120; ++r) {
    weights.push_back(static_cast<double>(r % 4));
    for (std::size_t i = 0; i < r % 4; ++i) repeated.push_back(r);
  }
  // Uses the loop directly: a fit would merge the repeated rows.
  Sample twice = s, weighted = s;
  weighted.data.weights = weights;
  weighted.data.row_weight = 1.5;
  twice.data.features = s.data.features.select_rows(repeated);
  twice.data.targets = core::Matrix<double>(repeated.size(), 1);
  twice.data.weights.assign(repeated.size(), 1.0);
  for (std::size_t i = 0; i < repeated.size(); ++i) twice.data.targets(i, 0) = y[repeated[i]];
  for (const char* objective : {"direct", "residual"}) {
    const config::ResolvedConfig config = config_of({"binary", objective}, s, {.units = 6, .alpha = 2, .max_iter = 20});
    // In double precision, because single-precision noise makes two long fits diverge from each other.
    const auto curve = [&](const Sample& sample) {
      const TrainTask task{
          .config = config, .data = sample.data, .outputs = 1, .backend = "reference", .workers = workers()};
      return train(task, start_network(task), {}, {}).curves.train;
    };
    const auto a = curve(weighted), b = curve(twice);
    for (std::size_t t = 0; t < a.size(); ++t) EXPECT_NEAR(a[t], b[t], 1e-6 * b[t]) << objective << " step " << t;
    EXPECT_LT(a.back(), 0.8 * a.front());
  }
}

TEST(Fit, GivesBalancedClassesTheSameWeight) {
  std::vector<double> weights{1, 1, 2, 1, 1, 1}, labels{0, 0, 0, 1, 2, 2};
  balance_classes(weights, labels, 3, all_rows(6));
  EXPECT_NEAR(weights[0] + weights[1] + weights[2], 7.0 / 3.0, 1e-12);
  EXPECT_NEAR(weights[3], 7.0 / 3.0, 1e-12);
  EXPECT_NEAR(weights[4] + weights[5], 7.0 / 3.0, 1e-12);
  EXPECT_NEAR(weights[2], 2 * weights[0], 1e-12);

  Sample s = make_sample("binary", 300);
  for (std::size_t r = 0; r < 300; ++r) s.data.targets(r, 0) = s.data.features.at(r, 0) > 1.2f ? 1.0 : 0.0;
  const auto table = table_of(s);
  const auto model =
      fit(table, options_for(data::Task::binary, {.units = 4, .class_weight = config::ClassWeights{.balanced = true}}))
          .model;
  EXPECT_NEAR(model.network.bias_after(0)[0], 0.0, 1e-6) << "equal weight, even odds";
}

TEST(Fit, BalancesOnlyTheFittedRows) {
  // The first half of the rows is mostly one class; the other half is not fitted.
  Sample s = make_sample("binary", 200);
  for (std::size_t r = 0; r < 200; ++r) s.data.targets(r, 0) = r >= 100 || r % 10 == 0 ? 1.0 : 0.0;
  auto options = options_for(data::Task::binary, {.units = 4, .class_weight = config::ClassWeights{.balanced = true}});
  for (std::size_t r = 0; r < 100; ++r) options.rows.push_back(r);
  EXPECT_NEAR(fit(table_of(s), options).model.network.bias_after(0)[0], 0.0, 1e-6);
}

TEST(Fit, ResumesACheckpointBitForBit) {
  for (const char* kind : {"binary", "three", "number"}) {
    SCOPED_TRACE(kind);
    const Sample s = make_sample(kind, 150);
    const auto table = table_of(s);
    auto options = options_for(s.task, {.units = 40, .subsample = 0.7, .validation_fraction = 0.2});
    const auto whole = fit(table, options);
    model::Model checkpoint;
    fit(table, options, [&](const Progress& progress) {
      if (progress.step == 4) checkpoint = progress.snapshot();
      return progress.step < 4;
    });
    ASSERT_EQ(checkpoint.network.steps(), 4u);
    options.resume = &checkpoint;
    const auto resumed = fit(table, options);
    EXPECT_TRUE(same(resumed.model.network, whole.model.network));
    EXPECT_EQ(resumed.model.provenance.train_loss, whole.model.provenance.train_loss);
    EXPECT_EQ(resumed.model.provenance.validation_loss, whole.model.provenance.validation_loss);
    options.config.alpha = 0.3;
    EXPECT_THROW(fit(table, options), core::UsageError);
  }
}

TEST(Fit, GrowsToTheBitsOfASingleFit) {
  for (const char* kind : {"binary", "three", "number", "pair"}) {
    SCOPED_TRACE(kind);
    const Sample s = make_sample(kind, 150);
    auto table = table_of(s);
    auto options = options_for(s.task, {.units = 40});
    const auto whole = fit(table, options);
    options.config = {.units = 20, .automatic = false};
    const auto half = fit(table, options);
    options.config = {.units = 40};
    const auto grown = grow(half.model, table, options);
    EXPECT_TRUE(same(grown.model.network, whole.model.network));
    EXPECT_EQ(grown.model.provenance.train_loss, whole.model.provenance.train_loss);
    EXPECT_TRUE(grown.notes.empty());
    EXPECT_THROW(grow(whole.model, table, options), core::UsageError);
  }
}

/// Without the limit, a billion units would take days.
TEST(Fit, EstimatesNoMoreTimeThanItsLimit) {
  const Sample s = make_sample("number", 100);
  const auto table = table_of(s);
  const auto options = options_for(s.task, {.units = 1'000'000'000, .max_iter = 2, .time_limit = 100.0});
  std::size_t steps = 0;
  const auto observe = [&](const Progress& progress) {
    EXPECT_LE(progress.time.seconds_left, 100.0);
    return ++steps % 3 != 0;
  };
  const auto first = fit(table, options, observe);
  EXPECT_EQ(first.stop, Stop::observer);
  EXPECT_EQ(grow(first.model, table, options, observe).stop, Stop::observer);
  EXPECT_EQ(steps, 6u);
}

/// The first step ends after one evaluation, so it does not matter how many iterations it might take.
TEST(Fit, EndsItsFirstStepAfterItsTimeLimit) {
  const Sample s = make_sample("number", 100);
  const auto network = [&](std::uint64_t max_iter, double time_limit) {
    const config::Config config{.units = 8, .max_iter = max_iter, .tolerance = 0.0, .time_limit = time_limit};
    return fit(table_of(s), options_for(s.task, config)).model.network;
  };
  const network::Network ended = network(60, 1e-9);
  EXPECT_TRUE(same(ended, network(30, 1e-9)));
  network::Network whole = network(60, 0.0);
  whole.truncate(1);
  EXPECT_FALSE(same(ended, whole));
}

TEST(Fit, GrowsByOneStepAfterItsTimeLimit) {
  const Sample s = make_sample("number", 100);
  const auto table = table_of(s);
  auto options = options_for(s.task, {.units = 20});
  const auto first = fit(table, options);
  options.config = {.units = 400, .time_limit = 1e-9};
  const auto grown = grow(first.model, table, options);
  EXPECT_EQ(grown.stop, Stop::time);
  EXPECT_EQ(grown.model.network.steps(), first.model.network.steps() + 1);
}

TEST(Fit, KeepsItsUnitsWhenGrownWithAFirstValidationSet) {
  const Sample s = make_sample("binary", 200);
  const auto table = table_of(s);
  auto options = options_for(data::Task::binary, {.units = 40});
  const auto first = fit(table, options);
  options.config = {.units = 48, .validation_fraction = 0.2};
  const auto grown = grow(first.model, table, options);
  EXPECT_EQ(grown.model.provenance.validation_loss.size(), 13u) << "one point for each of 0 to 12 steps";
}

/// The held-out curve of the automatic choice is of other rows.
TEST(Fit, MeasuresANewValidationSetAtEveryStep) {
  const auto table = table_of(make_sample("binary", 200));
  auto options = options_for(data::Task::binary, {.units = 20});
  options.config.automatic = true;
  const auto first = fit(table, options).model;
  ASSERT_GE(first.provenance.validation_loss.size(), 11u) << "the choice must leave a held-out curve";
  data::Table opposite = table;
  for (float& y : opposite.columns.back().numbers) y = 1.0f - y;
  options.validation = &opposite;
  options.config = {.units = 40};
  const auto grown = grow(first, table, options);
  const auto& curve = grown.model.provenance.validation_loss;
  EXPECT_NE(curve.front(), first.provenance.validation_loss.front());
  EXPECT_EQ(std::ranges::min_element(curve), curve.begin()) << "every unit must raise the loss of opposite labels";
  EXPECT_EQ(grown.model.network.units(), 0u);
  ASSERT_FALSE(grown.notes.empty());
  EXPECT_TRUE(grown.notes.back().text().starts_with("no network is better than a constant on the validation set"));
}

TEST(Fit, ResumesWithTheLossOfTheGivenValidationSet) {
  const auto table = table_of(make_sample("binary", 150)), one = table_of(make_sample("binary", 80, 2)),
             other = table_of(make_sample("binary", 80, 3));
  auto options = options_for(data::Task::binary, {.units = 20});
  options.validation = &one;
  model::Model checkpoint;
  fit(table, options, [&](const Progress& progress) {
    if (progress.step == 4) checkpoint = progress.snapshot();
    return progress.step < 4;
  });
  options.validation = &other;
  const auto whole = fit(table, options).model;
  options.resume = &checkpoint;
  EXPECT_EQ(fit(table, options).model.provenance.validation_loss, whole.provenance.validation_loss);
}

TEST(Fit, MeasuresTheTrainingLossOfTheRowsItGrowsOn) {
  const auto table = table_of(make_sample("binary", 150)), other = table_of(make_sample("binary", 150, 2));
  auto options = options_for(data::Task::binary, {.units = 20});
  const auto first = fit(table, options).model;
  auto without_curve = first;
  without_curve.provenance.train_loss.clear();
  options.config = {.units = 40};
  EXPECT_EQ(grow(first, other, options).model.provenance.train_loss,
            grow(without_curve, other, options).model.provenance.train_loss);
}

TEST(Fit, KeepsTheBestPrefix) {
  const Sample s = make_sample("binary", 100);
  const auto result = fit(
      table_of(s),
      options_for(data::Task::binary, {.units = 200, .learning_rate = 1, .alpha = 0.01, .validation_fraction = 0.3}));
  const auto& curve = result.model.provenance.validation_loss;
  const auto best = static_cast<std::size_t>(std::min_element(curve.begin(), curve.end()) - curve.begin());
  EXPECT_EQ(result.model.network.steps(), best);
  EXPECT_LT(best, 50u) << "the test needs a validation loss that rises again";
}

}  // namespace
}  // namespace accrete::boosting::fit_test
