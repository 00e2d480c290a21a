// Several quantiles by one network, and calibrated intervals and sets.

#include "accrete/model/interval.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "accrete/backend/fit_device.hpp"
#include "accrete/boosting/calibrate.hpp"
#include "accrete/boosting/fit.hpp"
#include "accrete/comm/threads.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/random.hpp"
#include "accrete/data/take_rows.hpp"
#include "accrete/io/model_file.hpp"

namespace accrete::boosting::interval_test {
namespace {

/// y = 10 a + noise whose size grows with b; or a class of 0, 1 and 2 by a, with noise.
data::Table make_table(std::size_t rows, std::uint64_t seed, bool classes = false) {
  data::Table table{.source = "made up", .columns = {{.name = "a"}, {.name = "b"}, {.name = "y"}}};
  core::Rng rng(seed, 0, core::Purpose::generator);
  for (std::size_t r = 0; r < rows; ++r) {
    const double a = rng.uniform(-1.0, 1.0), b = rng.uniform(0.0, 1.0), noise = rng.normal();
    const double number = 10.0 * a + (0.2 + 2.0 * b) * noise, level = a + 0.3 * noise;
    table.columns[0].numbers.push_back(static_cast<float>(a));
    table.columns[1].numbers.push_back(static_cast<float>(b));
    table.columns[2].numbers.push_back(static_cast<float>(!classes       ? number
                                                          : level < -0.3 ? 0.0
                                                          : level < 0.4  ? 1.0
                                                                         : 2.0));
  }
  return table;
}

FitOptions options_for(config::Config config, bool classes = false) {
  static core::Workers one(1);
  FitOptions options;
  options.task = classes ? data::Task::multiclass : data::Task::regression;
  config.automatic = false;
  if (!config.units) config.units = 32;
  config.learning_rate = 0.3;
  options.config = config;
  options.workers = &one;
  return options;
}

core::Matrix<double> predict(const model::Model& model, const data::Table& table, std::size_t steps) {
  core::Workers one(1);
  return model::predict(model, table, steps, one);
}

core::Matrix<double> targets_of(const data::Table& table) {
  core::Matrix<double> targets(table.rows(), 1);
  for (std::size_t r = 0; r < table.rows(); ++r) targets(r, 0) = table.columns[2].numbers[r];
  return targets;
}

TEST(ConformalQuantile, IsTheRankThatTheTheoremNeeds) {
  std::vector<double> scores(9);
  std::iota(scores.begin(), scores.end(), 1.0);
  EXPECT_EQ(conformal_quantile(scores, 0.9), 9.0);
  EXPECT_EQ(conformal_quantile(scores, 0.5), 5.0);
  scores.pop_back();
  EXPECT_THROW(conformal_quantile(scores, 0.9), core::DataError);
  EXPECT_EQ(min_calibration_rows(0.9), 9);
  EXPECT_EQ(min_calibration_rows(0.95), 19);
}

TEST(Quantiles, NeverCrossAtAnyPrefix) {
  const data::Table table = make_table(300, 1), fresh = make_table(500, 2);
  for (const std::uint64_t bins : {0, 8}) {
    const auto model =
        fit(table, options_for({.units = 40, .bins = bins, .quantiles = std::vector{0.1, 0.45, 0.5, 0.55, 0.9}})).model;
    ASSERT_EQ(model.network.outputs(), 5);
    for (std::size_t steps = 0; steps <= model.network.steps(); ++steps) {
      const auto predictions = predict(model, fresh, steps);
      for (std::size_t r = 0; r < predictions.rows(); ++r)
        ASSERT_TRUE(std::ranges::is_sorted(predictions.row(r))) << steps << " steps, row " << r;
    }
  }
}

TEST(Quantiles, HaveTheirShareOfRowsBelow) {
  const std::vector<double> levels{0.1, 0.5, 0.9};
  const data::Table fresh = make_table(2000, 2);
  const auto model = fit(make_table(1500, 1), options_for({.units = 80, .quantiles = levels})).model;
  EXPECT_EQ(model.point().column, 1);
  const auto predictions = predict(model, fresh, model.network.steps());
  for (std::size_t k = 0; k < levels.size(); ++k) {
    double below = 0.0;
    for (std::size_t r = 0; r < fresh.rows(); ++r)
      below += fresh.columns[2].numbers[r] <= predictions(r, k) ? 1.0 / 2000.0 : 0.0;
    EXPECT_NEAR(below, levels[k], 0.06);
  }
}

TEST(Quantiles, BackendsAgree) {
  const data::Table table = make_table(120, 1);
  FitOptions options = options_for({.units = 8, .objective = "residual", .quantiles = std::vector{0.2, 0.8}});
  const auto fast = fit(table, options).model;
  options.backend = "reference";
  const auto exact = fit(table, options).model;
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(fast.network.bias_after(0)[k], exact.network.bias_after(0)[k], 1e-9);
  EXPECT_NEAR(fast.provenance.train_loss.back(), exact.provenance.train_loss.back(),
              0.02 * exact.provenance.train_loss.front());
}

/// Mean coverage of new rows, over draws of calibration rows and of new rows.
double mean_coverage(const model::Model& model, bool classes, std::size_t steps, double coverage) {
  core::Workers one(1);
  double sum = 0.0;
  constexpr int draws = 100;
  for (std::uint64_t draw = 0; draw < draws; ++draw) {
    const data::Table held_out = make_table(59, 100 + draw, classes), fresh = make_table(100, 1000 + draw, classes);
    model::Model calibrated = model;
    calibrated.calibration = calibrate(model, held_out, targets_of(held_out), coverage, one);
    const auto quality =
        model::measure_intervals(calibrated, predict(model, fresh, steps), steps, targets_of(fresh), {});
    sum += quality.coverage / draws;
  }
  return sum;
}

TEST(Interval, HasTheCoverageAtEveryPrefix) {
  const auto model = fit(make_table(300, 1), options_for({.quantiles = std::vector{0.1, 0.5, 0.9}})).model;
  // 59 calibration rows promise 0.8 to 0.8 + 1/60; the mean of 100 draws has a standard error of 0.007.
  for (const std::size_t steps : {std::size_t{1}, model.network.steps() / 2, model.network.steps()}) {
    const double covered = mean_coverage(model, false, steps, 0.8);
    EXPECT_GT(covered, 0.775) << steps;
    EXPECT_LT(covered, 0.84) << steps;
  }
}

/// A rank may have no calibration rows.
TEST(Interval, IsCalibratedOnTheRowsOfAllRanks) {
  const auto model = fit(make_table(300, 1), options_for({.quantiles = std::vector{0.1, 0.9}})).model;
  const data::Table all = make_table(59, 2);
  core::Workers one(1);
  const model::Calibration expected = calibrate(model, all, targets_of(all), 0.8, one);
  comm::run_ranks(3, [&](comm::Communicator& comm) {
    core::Workers workers(1);
    std::vector<std::size_t> rows;
    for (std::size_t r = 0; r < all.rows(); ++r)
      if (comm.rank() == (r < 20 ? 0 : 2)) rows.push_back(r);
    const data::Table own = data::take_rows(all, rows);
    const model::Calibration found = calibrate(model, own, targets_of(own), 0.8, workers, comm);
    EXPECT_EQ(found.rows, 59u);
    EXPECT_EQ(found.corrections, expected.corrections);
  });
}

TEST(Interval, SetsOfClassesCoverAsPromised) {
  const auto model = fit(make_table(300, 1, true), options_for({}, true)).model;
  EXPECT_GT(mean_coverage(model, true, model.network.steps(), 0.9), 0.88);
  model::Model calibrated = model;
  calibrated.calibration = {.coverage = 0.9, .rows = 1, .corrections = std::vector(model.network.steps() + 1, 0.0)};
  const auto sets = model::sets_of(calibrated, predict(model, make_table(50, 3, true), 1), 1);
  for (std::size_t r = 0; r < sets.rows(); ++r) EXPECT_GE(std::ranges::count(sets.row(r), 1.0), 1);
}

TEST(Interval, IsCalibratedOnRowsThatTheFitHeldOut) {
  const data::Table table = make_table(500, 1);
  const auto model = fit(table, options_for({.interval = 0.8, .calibration_fraction = 0.3})).model;
  EXPECT_EQ(model.calibration.coverage, 0.8);
  EXPECT_EQ(model.calibration.rows, 150);
  EXPECT_EQ(model.provenance.training_rows, 350);
  EXPECT_EQ(model.calibration.corrections.size(), model.network.steps() + 1);
  const data::Table fresh = make_table(1000, 2);
  const auto predictions = predict(model, fresh, model.network.steps());
  const auto quality = model::measure_intervals(model, predictions, model.network.steps(), targets_of(fresh), {});
  EXPECT_NEAR(quality.coverage, 0.8, 0.08);
  // Wider where the noise is larger.
  const auto intervals = model::intervals_of(model, predictions, model.network.steps());
  double narrow = 0.0, wide = 0.0;
  for (std::size_t r = 0; r < fresh.rows(); ++r)
    (fresh.columns[1].numbers[r] < 0.3f ? narrow : wide) +=
        (intervals(r, 1) - intervals(r, 0)) / (fresh.columns[1].numbers[r] < 0.3f ? 300.0 : 700.0);
  EXPECT_GT(wide, 1.3 * narrow);
}

TEST(Interval, IsSavedWithTheModelAndLostWhenItGrows) {
  const data::Table table = make_table(200, 1);
  const auto model = fit(table, options_for({.interval = 0.9})).model;
  const auto loaded = io::parse_model(io::serialise(model), "memory");
  EXPECT_EQ(loaded.calibration, model.calibration);
  EXPECT_EQ(loaded.loss.settings, model.loss.settings);
  FitOptions more = options_for({.units = 64});
  more.config = {.units = 64};
  const auto grown = grow(loaded, table, more);
  EXPECT_EQ(grown.model.calibration, model::Calibration{});
  ASSERT_EQ(grown.notes.size(), 2u);
  EXPECT_NE(grown.notes[1].text().find("held out rows for calibration"), std::string::npos) << grown.notes[1].text();
  more.config.interval = 0.9;
  EXPECT_NO_THROW(grow(loaded, table, more)) << "a warm start repeats the parameters of the fit";
  more.config.interval = 0.8;
  EXPECT_THROW(grow(loaded, table, more), core::UsageError);
}

TEST(Interval, RefusesWhatCannotBe) {
  const data::Table table = make_table(40, 1);
  EXPECT_THROW(fit(table, options_for({.interval = 0.95})), core::DataError);  // 8 rows; it needs 19
  EXPECT_THROW(fit(table, options_for({.quantiles = std::vector{0.9, 0.1}})), core::UsageError);
  EXPECT_THROW(fit(table, options_for({.quantiles = std::vector{0.5}})), core::UsageError);
  EXPECT_THROW(fit(table, options_for({.quantiles = std::vector{0.5, 1.5}})), core::UsageError);
  EXPECT_THROW(fit(table, options_for({.loss = "huber", .interval = 0.5})), core::UsageError);
  EXPECT_NE(backend::cpu_only_reason({.quantiles = std::vector{0.1, 0.9}}), "");  // devices know no levels
  const auto plain = fit(table, options_for({})).model;
  EXPECT_THROW(model::intervals_of(plain, predict(plain, table, 1), 1), core::UsageError);
}

}  // namespace
}  // namespace accrete::boosting::interval_test
