#include "accrete/tune/cross_validation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "accrete/core/error.hpp"
#include "accrete/data/generate.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::tune::cross_validation_test {
namespace {

data::Table made(const char* name, std::size_t rows) {
  return data::generator_named(name).make(rows, 3);
}

boosting::FitOptions small(std::size_t units = 12) {
  boosting::FitOptions options;
  options.config = {.units = units};
  return options;
}

CrossValidationResult run(const data::Table& table, const CrossValidation& how, std::size_t threads = 1) {
  core::Workers workers(threads);
  return cross_validate(table, small(), how, workers);
}

TEST(CrossValidation, EveryFoldIsMeasured) {
  const auto result = run(made("ringnorm2", 103), {.folds = 4, .repeats = 2});
  EXPECT_EQ(result.metric, "accuracy");
  EXPECT_EQ(result.task, data::Task::binary);
  ASSERT_EQ(result.folds.size(), 8u);
  std::size_t tested = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    const FoldScore& fold = result.folds[i];
    EXPECT_EQ(fold.repeat, i / 4);
    EXPECT_EQ(fold.fold, i % 4);
    EXPECT_EQ(fold.train_rows + fold.test_rows, 103u);
    EXPECT_EQ(fold.units, 12u);
    EXPECT_EQ(fold.metrics.size(), 5u);
    tested += fold.test_rows;
  }
  EXPECT_EQ(tested, 206u);
  EXPECT_NE(result.folds[0].train_loss, result.folds[4].train_loss) << "another repeat, other folds";
}

TEST(CrossValidation, DoesNotDependOnThreads) {
  const auto table = made("friedman1", 90);
  const auto one = run(table, {.folds = 5, .curve = true});
  for (const std::size_t threads : {2, 7}) {
    const auto many = run(table, {.folds = 5, .curve = true}, threads);
    for (std::size_t i = 0; i < one.folds.size(); ++i) {
      EXPECT_EQ(many.folds[i].metrics, one.folds[i].metrics);
      EXPECT_EQ(many.folds[i].train_loss, one.folds[i].train_loss);
      EXPECT_EQ(many.folds[i].curve, one.folds[i].curve);
    }
  }
}

TEST(CrossValidation, TheCurveEndsAtTheScore) {
  const auto result = run(made("friedman1", 80), {.folds = 3, .curve = true});
  EXPECT_EQ(result.metric, "rmse");
  ASSERT_EQ(result.curve().size(), 6u) << "two units a step";
  EXPECT_EQ(result.curve().back().first, 12u);
  EXPECT_NEAR(result.curve().back().second, result.score().mean, 1e-9);
}

TEST(CrossValidation, TheCurveOfSeveralQuantilesEndsAtTheScore) {
  boosting::FitOptions options = small();
  options.config = {.units = 12, .quantiles = std::vector{0.1, 0.5, 0.9}, .automatic = false};
  core::Workers one(1);
  const auto result = cross_validate(made("friedman1", 80), options, {.folds = 3, .curve = true}, one);
  EXPECT_NEAR(result.curve().back().second, result.score().mean, 1e-9);
}

/// A feature that names the row: an encoder that saw the test rows would have levels for them.
TEST(CrossValidation, TheEncoderSeesTrainingRowsAlone) {
  data::Table table = made("ringnorm2", 40);
  data::Column name{"name", data::Column::Kind::numeric, {}, {}, {}};
  name.numbers.assign(40, 0.0f);
  name.numbers[0] = 1e30f;  // dominates the mean and sd of any part that holds it
  table.columns.insert(table.columns.begin(), name);
  const auto with = run(table, {.folds = 4});
  table.columns[0].numbers[0] = 0.0f;
  const auto without = run(table, {.folds = 4});
  std::size_t same = 0;
  for (std::size_t i = 0; i < 4; ++i) same += with.folds[i].train_loss == without.folds[i].train_loss;
  EXPECT_EQ(same, 1u) << "the fold that tests row 0 trains without it";
}

TEST(CrossValidation, ReportsAndStops) {
  std::size_t calls = 0, total = 0;
  CrossValidation how{.folds = 3};
  how.done = [&](std::size_t done, std::size_t of) {
    EXPECT_EQ(done, ++calls);
    total = of;
  };
  EXPECT_FALSE(run(made("ringnorm2", 60), how, 3).stopped);
  EXPECT_EQ(calls, 3u);
  EXPECT_EQ(total, 3u);
  how.stop = [&] { return calls > 3; };
  how.done = [&](std::size_t, std::size_t) { ++calls; };
  const auto stopped = run(made("ringnorm2", 60), how);
  EXPECT_TRUE(stopped.stopped);
  EXPECT_EQ(stopped.folds.size(), 1u);
}

TEST(CrossValidation, Refusals) {
  const auto table = made("ringnorm2", 20);
  EXPECT_THROW(run(table, {.folds = 1}), core::UsageError);
  EXPECT_THROW(run(table, {.folds = 3, .repeats = 0}), core::UsageError);
  const std::string said = thrown_message<core::DataError>([&] { run(table, {.folds = 15}); });
  EXPECT_NE(said.find("fewer than the 15 folds"), std::string::npos) << said;
  EXPECT_THROW(run(made("friedman1", 10), {.folds = 11}), core::UsageError);
}

}  // namespace
}  // namespace accrete::tune::cross_validation_test
