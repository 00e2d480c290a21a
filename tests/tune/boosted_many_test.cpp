// The boosted network's fits on a device that does many at once: here one that does them by the CPU's own loop.

#include <gtest/gtest.h>

#include "accrete/core/error.hpp"
#include "accrete/data/generate.hpp"
#include "accrete/tune/boosted.hpp"
#include "accrete/tune/problem.hpp"
#include "accrete/tune/runs.hpp"
#include "tests/thrown_message.hpp"
#include "tests/tune/cpu_device.hpp"

namespace accrete::tune::boosted_many_test {
namespace {

boosting::FitOptions paper() {
  boosting::FitOptions options;
  options.preset = "paper";
  return options;
}

struct Case {
  const char* data;
  data::Task task;
};

class BoostedManyTest : public testing::TestWithParam<Case> {};

TEST_P(BoostedManyTest, RecordsAreThoseOfFitsOneByOne) {
  const data::Table table = data::generator_named(GetParam().data).make(150, 3);
  const Problem problem = read_problem(table, {}, GetParam().task);
  std::vector<std::size_t> rows(table.rows());
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r] = r;
  const auto splits = draw_folds(problem, rows, {3, 1});
  const std::vector<std::size_t> units{6, 12};
  const std::vector<Settings> points{{{"units_per_step", "1"}, {"subsample", "1"}},
                                     {{"units_per_step", "3"}, {"subsample", "0.5"}}};
  CpuDevice device;
  const Boosted here(paper(), problem.target.task), there(paper(), problem.target.task, &device);
  EXPECT_FALSE(here.has_device());
  EXPECT_TRUE(there.has_device());
  EXPECT_NE(here.text(points[0], 12), there.text(points[0], 12));
  std::vector<FitTask> tasks;
  for (const auto& split : splits)
    for (const auto& point : points) tasks.push_back({problem, split, point, units, 7});
  std::vector<std::optional<FitRecord>> records(tasks.size());
  EXPECT_TRUE(there.fit_many(tasks, [&](std::size_t i, FitRecord r) { records[i] = std::move(r); }, {}));
  ASSERT_EQ(device.batches.size(), 1u);
  EXPECT_EQ(device.batches[0], std::pair(std::size_t{6}, std::size_t{6}));  // drawn rows are not joined, all rows are
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const auto alone = here.fit(tasks[i], {});
    ASSERT_TRUE(alone && records[i]);
    EXPECT_EQ(alone->units, records[i]->units);
    ASSERT_EQ(alone->prefixes.size(), records[i]->prefixes.size());
    for (std::size_t p = 0; p < units.size(); ++p) {
      EXPECT_EQ(alone->prefixes[p].units, records[i]->prefixes[p].units);
      EXPECT_EQ(alone->prefixes[p].metrics, records[i]->prefixes[p].metrics);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Tasks, BoostedManyTest,
                         testing::Values(Case{"twonorm", data::Task::binary}, Case{"waveform", data::Task::multiclass},
                                         Case{"friedman1", data::Task::regression}));

TEST(BoostedMany, AConstantTargetHasNoUnitsThereEither) {
  data::Table table = data::generator_named("friedman1").make(60, 3);
  table.columns.back().numbers.assign(60, 0.1f);
  table.columns.back().numbers[59] = 3.0f;
  const Problem problem = read_problem(table, {}, data::Task::regression);
  data::Split split;
  for (std::size_t r = 0; r < table.rows(); ++r) (r >= 40 ? split.test : split.train).push_back(r);
  CpuDevice device;
  const Boosted here(paper(), problem.target.task), there(paper(), problem.target.task, &device);
  const Settings settings;
  const std::vector<std::size_t> units{6, 12};
  const FitTask task{problem, split, settings, units, 7};
  const FitRecord alone = here.fit(task, {}).value();
  FitRecord record;
  there.fit_many({&task, 1}, [&](std::size_t, FitRecord r) { record = std::move(r); }, {});
  EXPECT_EQ(record.units, alone.units);
  ASSERT_EQ(record.prefixes.size(), 2u);
  for (std::size_t p = 0; p < 2; ++p) {
    EXPECT_EQ(record.prefixes[p].units, alone.prefixes[p].units);
    EXPECT_EQ(record.prefixes[p].metrics, alone.prefixes[p].metrics);
  }
}

TEST(BoostedMany, RunsTakeTheMachineAndStopWithIt) {
  const data::Table table = data::generator_named("twonorm").make(80, 3);
  const Problem problem = read_problem(table, {}, data::Task::binary);
  std::vector<std::size_t> rows(table.rows());
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r] = r;
  const auto splits = draw_folds(problem, rows, {2, 1});
  CpuDevice device;
  const Boosted method(paper(), problem.target.task, &device);
  std::vector<PlannedFit> fits;
  for (const auto& split : splits) fits.push_back({&method, &split, {}, {"s", 1, method.text({}, 4), 0, 0, 0, 5}});
  core::Workers workers(2);
  std::size_t told = 0;
  Runs runs(problem, {{4}, nullptr, fits.size(), [&](std::size_t done, std::size_t) { told = done; }, {}}, workers);
  EXPECT_EQ(runs.run(fits).size(), 2u);
  EXPECT_EQ(told, 2u);
  Runs stopped(problem, {{4}, nullptr, fits.size(), {}, [] { return true; }}, workers);
  EXPECT_TRUE(stopped.run(fits).empty());
}

TEST(BoostedMany, WhatTheMachineCannotDoIsSaid) {
  const data::Table table = data::generator_named("twonorm").make(80, 3);
  const Problem problem = read_problem(table, {}, data::Task::binary);
  data::Split split;
  for (std::size_t r = 0; r < table.rows(); ++r) (r % 4 == 0 ? split.test : split.train).push_back(r);
  CpuDevice device;
  device.max_units = 3;
  const Boosted method(paper(), problem.target.task, &device);
  const Settings settings{{"units_per_step", "4"}};
  const std::vector<std::size_t> units{8};
  const FitTask task{problem, split, settings, units, 1};
  const auto act = [&] { method.fit_many({&task, 1}, [](std::size_t, FitRecord) {}, {}); };
  EXPECT_EQ(thrown_message<core::UsageError>(act), "device toy: too many units a step; use device cpu");
}

}  // namespace
}  // namespace accrete::tune::boosted_many_test
