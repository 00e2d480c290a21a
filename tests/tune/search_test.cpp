#include "accrete/tune/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "accrete/core/error.hpp"
#include "accrete/core/random.hpp"
#include "accrete/tune/boosted.hpp"
#include "tests/tune/fake_method.hpp"

namespace accrete::tune::search_test {
namespace {

double number(const Settings& settings, const std::string& name) {
  for (const auto& [key, value] : settings)
    if (key == name) return std::stod(value);
  return 0.0;
}

SearchOptions over(std::vector<Axis> axes, std::vector<std::size_t> units) {
  SearchOptions options;
  options.grid = {std::move(axes), std::move(units)};
  options.folds = 4;
  return options;
}

SearchResult run(const Method& method, const SearchOptions& options, std::size_t threads = 1,
                 const data::Table& table = two_classes()) {
  core::Workers workers(threads);
  return search(read_problem(table, {}, std::nullopt), method, options, workers);
}

TEST(Search, TheBestMeanComesFirst) {
  const FakeMethod method([](const FitTask& task, std::size_t units) {
    return 0.5 + 0.1 * number(task.settings, "a") + 0.001 * static_cast<double>(units);
  });
  const auto result = run(method, over({{"a", {"1", "3", "2"}}}, {10, 20}));
  EXPECT_EQ(method.fits(), 12u) << "three settings times four folds; trying other numbers of units needs no fits";
  EXPECT_EQ(result.fits, 12u);
  EXPECT_EQ(result.planned, 12u);
  EXPECT_EQ(result.metric, "accuracy");
  ASSERT_EQ(result.tried.size(), 6u);
  EXPECT_EQ(result.best().settings, (Settings{{"a", "3"}}));
  EXPECT_EQ(result.best().units, 20u);
  EXPECT_NEAR(result.best().score.mean, 0.82, 1e-12);
  EXPECT_EQ(method.seeds().size(), 4u) << "one seed a fold, the same for all settings";
}

TEST(Search, OfEqualsTheSmallerThenTheFirst) {
  const FakeMethod method([](const FitTask& task, std::size_t) { return number(task.settings, "a") > 1 ? 0.9 : 0.8; });
  const auto result = run(method, over({{"a", {"1", "3", "2"}}}, {10, 20}));
  EXPECT_EQ(result.best().units, 10u);
  EXPECT_EQ(result.best().settings, (Settings{{"a", "3"}}));
  EXPECT_EQ(result.within_one_se().size(), 4u);
}

TEST(Search, WithinOneStandardError) {
  // Each setting's folds spread alike; the means lie 0, 0.5 and 2 standard errors below the best.
  const FakeMethod method([](const FitTask& task, std::size_t) {
    const double swing = task.split.test.front() % 2 == 0 ? 0.1 : -0.1;
    return 0.7 + swing - number(task.settings, "a");
  });
  auto options = over({{"a", {"0", "0.001", "0.3"}}}, {10});
  options.folds = 10;
  const auto result = run(method, options);
  EXPECT_GT(result.best().score.se, 0.01);
  EXPECT_EQ(result.within_one_se().size(), 2u);
}

TEST(Search, ASettingThatFailsIsLast) {
  const FakeMethod method([](const FitTask& task, std::size_t) {
    const bool fails = number(task.settings, "a") > 1 && task.split.test.front() == 0;
    return fails ? std::nan("") : 0.9 + 0.01 * number(task.settings, "a");
  });
  const auto result = run(method, over({{"a", {"1", "2"}}}, {10}));
  EXPECT_EQ(result.best().settings, (Settings{{"a", "1"}}));
  EXPECT_TRUE(std::isnan(result.tried.back().score.mean));
  const FakeMethod none([](const FitTask&, std::size_t) { return std::nan(""); });
  EXPECT_THROW(run(none, over({{"a", {"1", "2"}}}, {10})), core::DataError);
}

/// No fit that takes part in a choice may see a row of the outer fold that the choice is scored on.
TEST(Search, NestedKeepsTheOuterRowsOut) {
  const FakeMethod method([](const FitTask& task, std::size_t) { return 0.01 * number(task.settings, "a"); });
  auto options = over({{"a", {"1", "2", "3"}}}, {10});
  options.outer = 5;
  options.repeats = 2;
  const auto result = run(method, options);
  const std::size_t plain = 2 * 4 * 3, inner = 4 * 3, outer = 2 * 5;
  ASSERT_EQ(result.fits, plain + outer * inner + outer);
  ASSERT_EQ(result.outer.size(), outer);
  const auto& splits = method.splits();
  std::vector<std::size_t> tested(60, 0);
  for (std::size_t o = 0; o < outer; ++o) {
    const data::Split& own = splits[plain + outer * inner + o];
    EXPECT_EQ(result.outer[o].fold, o % 5);
    EXPECT_EQ(result.outer[o].repeat, o / 5);
    for (const std::size_t row : own.test) ++tested[row];
    for (std::size_t i = 0; i < inner; ++i)
      for (const auto* part : {&splits[plain + o * inner + i].train, &splits[plain + o * inner + i].test})
        for (const std::size_t row : *part) {
          EXPECT_TRUE(std::ranges::binary_search(own.train, row));
          EXPECT_FALSE(std::ranges::binary_search(own.test, row));
        }
  }
  for (const std::size_t count : tested) EXPECT_EQ(count, 2u) << "every row is scored once a repeat";
  EXPECT_EQ(result.outer[3].chosen.settings, (Settings{{"a", "3"}}));
  EXPECT_NEAR(result.outer_score("accuracy").mean, 0.03, 1e-12);
}

/// The nested part alone is the nested part beside the other, fit for fit.
TEST(Search, WithoutTheWholeTheNestedPartIsTheSame) {
  const FakeMethod method([](const FitTask& task, std::size_t) {
    return 0.01 * number(task.settings, "a") + 0.001 * static_cast<double>(task.split.test.front() % 7);
  });
  MemoryRecords records;
  auto options = over({{"a", {"1", "2", "3"}}}, {10});
  options.outer = 5;
  options.repeats = 2;
  options.records = &records;
  const auto both = run(method, options);
  options.whole = false;
  const auto nested = run(method, options);
  EXPECT_TRUE(nested.tried.empty());
  EXPECT_EQ(nested.planned, 2u * 5 * (4 * 3 + 1));
  EXPECT_EQ(nested.found, nested.planned) << "the same keys";
  ASSERT_EQ(nested.outer.size(), both.outer.size());
  for (std::size_t i = 0; i < nested.outer.size(); ++i) {
    EXPECT_EQ(nested.outer[i].chosen.settings, both.outer[i].chosen.settings);
    EXPECT_EQ(nested.outer[i].metrics, both.outer[i].metrics);
  }
}

TEST(Search, PartitionsAreTakenAsGiven) {
  const FakeMethod method([](const FitTask& task, std::size_t) { return 0.01 * number(task.settings, "a"); });
  MemoryRecords records;
  auto options = over({{"a", {"1", "2"}}}, {10});
  options.whole = false;
  std::vector<double> labels;
  const Problem problem = read_problem(two_classes(), {}, std::nullopt);
  for (std::size_t row = 0; row < 60; ++row) labels.push_back(problem.target.values(row, 0));
  for (const std::uint64_t seed : {1, 2, 3}) options.outer_splits.push_back(data::holdout(60, labels, 0.4, seed));
  const auto result = run(method, options);
  ASSERT_EQ(result.outer.size(), 3u);
  ASSERT_EQ(result.fits, 3u * (4 * 2 + 1));
  const auto& splits = method.splits();
  for (std::size_t p = 0; p < 3; ++p) {
    const data::Split& given = options.outer_splits[p];
    EXPECT_EQ(result.outer[p].fold, p);
    EXPECT_EQ(splits[24 + p].train, given.train);
    EXPECT_EQ(splits[24 + p].test, given.test);
    for (std::size_t i = 0; i < 8; ++i)
      for (const auto* part : {&splits[8 * p + i].train, &splits[8 * p + i].test})
        for (const std::size_t row : *part) EXPECT_TRUE(std::ranges::binary_search(given.train, row));
  }
  options.records = &records;
  run(method, options);
  options.outer_splits.clear();
  options.outer = 3;
  EXPECT_EQ(run(method, options).found, 0u) << "folds are not outer splits";
}

TEST(Search, ListedPointsAreTriedLikeAnyOther) {
  const FakeMethod method([](const FitTask& task, std::size_t) {
    return 0.1 * number(task.settings, "a") + 0.01 * number(task.settings, "b");
  });
  auto options = over({}, {10});
  options.grid.listed = {{{"a", "1"}, {"b", "1"}}, {{"a", "2"}, {"b", "3"}}, {{"a", "2"}}};
  const auto result = run(method, options);
  EXPECT_EQ(result.fits, 12u);
  EXPECT_EQ(result.best().settings, options.grid.listed[1]);
  EXPECT_EQ(result.tried.back().settings, options.grid.listed[0]);
}

TEST(Search, WithOnePointNothingIsFittedInside) {
  const FakeMethod method([](const FitTask&, std::size_t) { return 0.7; });
  auto options = over({}, {10});
  options.outer = 5;
  options.whole = false;
  const auto result = run(method, options);
  EXPECT_EQ(method.fits(), 5u);
  EXPECT_EQ(result.planned, 5u);
  EXPECT_DOUBLE_EQ(result.outer_score("accuracy").mean, 0.7);
  options.grid.units = {10, 20};
  EXPECT_EQ(run(method, options).fits, 5u * (4 + 1))
      << "with two numbers of units there is a choice, which needs inner fits";
}

/// What fails everywhere inside an outer fold is that fold's answer, not the end of the others.
TEST(Search, AllSettingsFailingInsideIsNaN) {
  const FakeMethod method([](const FitTask&, std::size_t) { return std::nan(""); });
  auto options = over({{"a", {"1", "2"}}}, {10});
  options.outer = 3;
  options.whole = false;
  const auto result = run(method, options);
  ASSERT_EQ(result.outer.size(), 3u);
  for (const OuterFold& fold : result.outer) {
    EXPECT_TRUE(std::isnan(fold.chosen.score.mean));
    ASSERT_EQ(fold.metrics.size(), 1u);
    EXPECT_TRUE(std::isnan(fold.metrics.front().second));
  }
  EXPECT_TRUE(std::isnan(result.outer_score("accuracy").mean));
}

/// Labels that have nothing to do with the rows: the best of many settings looks better than chance on the folds it was
/// chosen by, and does not where it is scored on rows that had no say.
TEST(Search, NestedFindsNothingWhereThereIsNothing) {
  auto options = over({{"learning_rate", {"0.1", "1"}}, {"activation", {"relu", "tanh", "logistic"}}}, {4, 8, 20});
  options.outer = 6;
  options.repeats = 2;
  double gap = 0.0;
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    data::Table table = data::generator_named("ringnorm2").make(240, 3);
    data::Column& target = table.columns.back();
    core::Rng rng(seed, 0, core::Purpose::generator);
    target.codes.empty() ? rng.shuffle(std::span(target.numbers)) : rng.shuffle(std::span(target.codes));
    const auto result = run(Boosted({}, data::Task::binary), options, 2, table);
    const Summary honest = result.outer_score("accuracy");
    EXPECT_NEAR(honest.mean, 0.5, 3.0 * honest.se + 0.02);
    gap += result.best().score.mean - honest.mean;
  }
  EXPECT_GT(gap, 0.0);
}

TEST(Search, DoesNotDependOnThreadsOrOnWhatIsThere) {
  auto options = over({{"learning_rate", {"0.3", "1"}}, {"units_per_step", {"1", "2"}}}, {4, 9});
  options.outer = 3;
  const Boosted method({}, data::Task::binary);
  const auto one = run(method, options);
  MemoryRecords records;
  for (const std::size_t threads : {2, 5, 1}) {
    options.records = &records;
    const auto many = run(method, options, threads);
    ASSERT_EQ(many.tried.size(), one.tried.size());
    for (std::size_t i = 0; i < one.tried.size(); ++i) {
      EXPECT_EQ(many.tried[i].settings, one.tried[i].settings);
      EXPECT_EQ(many.tried[i].units, one.tried[i].units);
      EXPECT_EQ(many.tried[i].score, one.tried[i].score);
    }
    for (std::size_t i = 0; i < one.outer.size(); ++i) EXPECT_EQ(many.outer[i].metrics, one.outer[i].metrics);
    EXPECT_EQ(many.found, threads == 2 ? 0u : one.fits);
  }
  EXPECT_EQ(records.size(), one.fits);
}

TEST(Search, MoreRepeatsUseWhatFewerLeft) {
  const FakeMethod method([](const FitTask&, std::size_t) { return 0.5; });
  MemoryRecords records;
  auto options = over({{"a", {"1", "2"}}}, {10});
  options.records = &records;
  run(method, options);
  options.repeats = 3;
  options.outer = 2;
  EXPECT_EQ(run(method, options).found, 8u);
  options.seed = 1;
  EXPECT_EQ(run(method, options).found, 0u) << "other folds";
}

TEST(Search, Stops) {
  const FakeMethod method([](const FitTask&, std::size_t) { return 0.5; });
  auto options = over({{"a", {"1", "2"}}}, {10});
  options.outer = 2;
  for (const std::size_t after : {3, 24}) {  // among the inner fits, and before the outer ones
    const std::size_t before = method.fits();
    options.stop = [&] { return method.fits() >= before + after; };
    const auto result = run(method, options);
    EXPECT_TRUE(result.stopped);
    EXPECT_EQ(result.fits, after);
    EXPECT_EQ(result.planned, 26u);
  }
}

TEST(Search, PartsHaveEachFitOnceAndTheSearchFindsThem) {
  const FakeMethod method([](const FitTask& task, std::size_t units) {
    return number(task.settings, "a") + static_cast<double>(task.seed % 97 + units);
  });
  auto options = over({{"a", {"1", "3", "2"}}}, {10, 20});
  options.outer = 3;
  const auto alone = run(method, options);
  const std::size_t fits = method.fits(), inner = fits - 3;
  MemoryRecords records;
  options.records = &records;
  core::Workers workers(2);
  for (std::size_t part = 0; part < 5; ++part)
    EXPECT_TRUE(run_part(read_problem(two_classes(), {}, std::nullopt), method, options, workers, {part, 5}));
  EXPECT_EQ(method.fits(), fits + inner) << "each fit is in one part";
  EXPECT_EQ(records.size(), inner);
  const auto joined = run(method, options);
  EXPECT_EQ(joined.found, inner) << "all fits but those of the outer folds are found";
  ASSERT_EQ(joined.tried.size(), alone.tried.size());
  for (std::size_t i = 0; i < alone.tried.size(); ++i) {
    EXPECT_EQ(joined.tried[i].settings, alone.tried[i].settings);
    EXPECT_EQ(joined.tried[i].scores, alone.tried[i].scores);
  }
  for (std::size_t i = 0; i < alone.outer.size(); ++i) EXPECT_EQ(joined.outer[i].metrics, alone.outer[i].metrics);
  EXPECT_THROW(run_part(read_problem(two_classes(), {}, std::nullopt), method, options, workers, {5, 5}),
               core::UsageError);
}

TEST(Search, ByAnotherMetric) {
  const Boosted method({}, data::Task::binary);
  auto options = over({}, {4, 40});
  options.metric = "log_loss";
  const auto result = run(method, options);
  EXPECT_EQ(result.better, Better::lower);
  EXPECT_LT(result.tried[0].score.mean, result.tried[1].score.mean);
  options.metric = "rmse";
  EXPECT_THROW(run(method, options), core::UsageError);
  options.metric = "nothing";
  EXPECT_THROW(run(method, options), core::UsageError);
}

TEST(Search, GivenCutsAreTaken) {
  const FakeMethod method([](const FitTask& task, std::size_t) {
    return 0.1 * static_cast<double>(task.split.test.front()) + 0.01 * static_cast<double>(task.split.train.size()) +
           number(task.settings, "a");
  });
  auto options = over({{"a", {"1", "2"}}}, {10});
  options.folds = 7;  // not looked at
  options.splits = {{{0, 1, 2}, {3}}, {{2, 3}, {1, 0}}};
  const auto result = run(method, options);
  EXPECT_EQ(result.fits, 4u);
  EXPECT_EQ(result.best().settings, (Settings{{"a", "2"}}));
  ASSERT_EQ(result.best().scores.size(), 2u);
  EXPECT_NEAR(result.best().scores[0], 2.33, 1e-12);
  EXPECT_NEAR(result.best().scores[1], 2.12, 1e-12);
  EXPECT_NEAR(result.best().score.mean, 2.225, 1e-12);
}

TEST(Search, CutsThatCannotBe) {
  const FakeMethod method([](const FitTask&, std::size_t) { return 0.5; });
  auto options = over({}, {4});
  options.splits = {{{0, 1}, {1'000'000}}};
  EXPECT_THROW(run(method, options), core::UsageError) << "a row that the table does not have";
  options.splits = {{{0, 1}, {}}};
  EXPECT_THROW(run(method, options), core::UsageError) << "nothing to score";
  options.splits = {{{0, 1}, {2}}};
  options.outer = 3;
  EXPECT_THROW(run(method, options), core::UsageError) << "nested";
}

TEST(Search, Refusals) {
  const FakeMethod method([](const FitTask&, std::size_t) { return 0.5; });
  EXPECT_THROW(run(method, over({}, {})), core::UsageError);
  auto options = over({}, {4});
  options.repeats = 0;
  EXPECT_THROW(run(method, options), core::UsageError);
  options.repeats = 1;
  options.folds = 40;
  EXPECT_THROW(run(method, options), core::DataError);
  EXPECT_THROW(run(Boosted({}, data::Task::binary), over({{"units_per_step", {"2", "5"}}}, {4})), core::UsageError);
}

}  // namespace
}  // namespace accrete::tune::search_test
