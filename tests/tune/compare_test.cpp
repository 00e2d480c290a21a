// Methods side by side: paired folds, the order, the differences, and whole models scored as they predict.

#include "accrete/tune/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "accrete/core/error.hpp"
#include "accrete/tune/contender.hpp"
#include "tests/tune/fake_method.hpp"

namespace accrete::tune::compare_test {
namespace {

Problem moons() {
  static const data::Table table = data::generator_named("ringnorm2").make(90, 3);
  return read_problem(table, {}, {});
}

/// A score that depends on the fold alone, and how much better than that a method is.
Formula better_by(double gain) {
  return [gain](const FitTask& task, std::size_t) {
    return 0.5 + 0.01 * static_cast<double>(task.split.test.front() % 7) + gain;
  };
}

TEST(Compare, EveryMethodMeetsTheSameFoldsAndTheBestComesFirst) {
  const Problem problem = moons();
  const FakeMethod low(better_by(0.0)), high(better_by(0.125));
  core::Workers one(1);
  CompareOptions options;
  options.folds = 5;
  options.repeats = 2;
  const auto result = compare(problem, {&low, &high}, options, one);
  ASSERT_EQ(low.fits(), 10u);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(low.splits()[i].train, high.splits()[i].train);
    EXPECT_EQ(low.splits()[i].test, high.splits()[i].test);
  }
  ASSERT_EQ(result.ranked.size(), 2u);
  EXPECT_EQ(result.metric, "accuracy");
  EXPECT_EQ(result.ranked[0].method, 1u);
  // What is hard about a fold cancels out: the difference has no spread, though the scores have.
  EXPECT_NEAR(result.ranked[1].difference.mean, -0.125, 1e-12);
  EXPECT_NEAR(result.ranked[1].difference.se, 0.0, 1e-12);
  EXPECT_GT(result.ranked[1].metrics.front().second.sd, 0.001);
  EXPECT_LT(result.ranked[1].wilcoxon, 0.01);
}

TEST(Compare, AMethodWithoutAScoreComesLast) {
  const Problem problem = moons();
  const FakeMethod lost([](const FitTask&, std::size_t) { return std::nan(""); }), fine(better_by(0.0));
  core::Workers one(1);
  const auto result = compare(problem, {&lost, &fine}, {}, one);
  EXPECT_EQ(result.ranked[0].method, 1u);
  EXPECT_TRUE(std::isnan(result.ranked[1].difference.mean));
}

TEST(Compare, AMetricOfAnotherTaskIsRefused) {
  const FakeMethod any(better_by(0.0));
  core::Workers one(1);
  CompareOptions options;
  options.metric = "rmse";
  EXPECT_THROW(compare(moons(), {&any}, options, one), core::UsageError);
}

TEST(Compare, StoppedMeansNoResult) {
  const FakeMethod any(better_by(0.0));
  core::Workers one(1);
  CompareOptions options;
  options.stop = [] { return true; };
  const auto result = compare(moons(), {&any}, options, one);
  EXPECT_TRUE(result.stopped);
  EXPECT_TRUE(result.ranked.empty());
}

TEST(Contender, EachLearnsSomethingAndSaysWhatItIs) {
  const data::Table table = data::generator_named("ringnorm2").make(200, 5);
  const Problem problem = read_problem(table, {}, {});
  std::vector<std::size_t> rows(problem.table.rows());
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r] = r;
  const auto folds = draw_folds(problem, rows, {4, 1});
  const std::size_t whole[] = {0};
  const Settings none;
  std::set<std::string> texts;
  for (const ContenderSetup& setup : contenders()) {
    const Contender contender(setup, "", problem.target.task);
    texts.insert(contender.text({}, 0));
    const auto record = contender.fit({problem, folds[0], none, whole, 7}, {});
    ASSERT_TRUE(record) << setup.name;
    ASSERT_EQ(record->prefixes.size(), 1u);
    for (const auto& [name, value] : record->prefixes[0].metrics) {
      const bool learns = name != "accuracy" || setup.name == "sgd" || value > 0.6;  // SGD takes longer than its epochs
      EXPECT_TRUE(learns) << setup.name << ": " << value;
    }
    EXPECT_GT(record->units, 0u) << setup.name;
    // The same again, since a store may hold it.
    const auto again = contender.fit({problem, folds[0], none, whole, 7}, {});
    EXPECT_EQ(again->prefixes[0].metrics, record->prefixes[0].metrics) << setup.name;
    EXPECT_FALSE(contender.fit({problem, folds[0], none, whole, 7}, [] { return true; })) << setup.name;
  }
  EXPECT_EQ(texts.size(), contenders().size());
}

}  // namespace
}  // namespace accrete::tune::compare_test
