// Cross-validation and comparison on a device that does many fits at once are those of the CPU: here the device is
// it.

#include "accrete/tune/device_batch.hpp"
#include "accrete/boosting/split.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "accrete/config/parameters.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/random.hpp"
#include "accrete/data/generate.hpp"
#include "accrete/tune/contender.hpp"
#include "accrete/tune/cross_validation.hpp"
#include "accrete/tune/runs.hpp"
#include "tests/thrown_message.hpp"
#include "tests/tune/cpu_device.hpp"

namespace accrete::tune::device_batch_test {
namespace {

boosting::FitOptions with(config::Config settings) {
  boosting::FitOptions options;
  options.config = std::move(settings);
  return options;
}

struct Case {
  const char* data;
  config::Config settings;
};

/// Numbers that do not depend on the only column.
data::Table make_noise(std::size_t rows) {
  data::Table table{.source = "noise", .columns = {{.name = "x"}, {.name = "y"}}};
  core::Rng rng(5, 0, core::Purpose::generator);
  for (std::size_t r = 0; r < rows; ++r)
    for (data::Column& column : table.columns) column.numbers.push_back(static_cast<float>(rng.normal()));
  return table;
}

void expect_equal_folds(const CrossValidationResult& here, const CrossValidationResult& there) {
  ASSERT_EQ(here.folds.size(), there.folds.size());
  for (std::size_t f = 0; f < here.folds.size(); ++f) {
    EXPECT_EQ(here.folds[f].repeat, there.folds[f].repeat);
    EXPECT_EQ(here.folds[f].fold, there.folds[f].fold);
    EXPECT_EQ(here.folds[f].units, there.folds[f].units);
    EXPECT_EQ(here.folds[f].metrics, there.folds[f].metrics);
    EXPECT_DOUBLE_EQ(here.folds[f].train_loss, there.folds[f].train_loss);
    EXPECT_EQ(here.folds[f].curve, there.folds[f].curve);
  }
}

class DeviceTest : public testing::TestWithParam<Case> {};

TEST_P(DeviceTest, CrossValidationIsTheCpus) {
  const data::Table table = data::generator_named(GetParam().data).make(90, 3);
  const auto options = with(GetParam().settings);
  core::Workers workers(2);
  CpuDevice device;
  CrossValidation how{3, 2, true, {}, {}};
  const auto here = cross_validate(table, options, how, workers);
  how.device = &device;
  const auto there = cross_validate(table, options, how, workers);
  ASSERT_EQ(device.batches.size(), 1u);
  EXPECT_EQ(device.batches[0].second, 6u) << "all at once";
  EXPECT_EQ(here.config, there.config);
  expect_equal_folds(here, there);
}

INSTANTIATE_TEST_SUITE_P(Tasks, DeviceTest,
                         testing::Values(Case{"twonorm", {.units = 12, .automatic = false}},
                                         Case{"waveform", {.units = 13, .units_per_step = 3, .automatic = false}},
                                         Case{"friedman1", {.units = 8, .alpha = 0.1}}));  // bins are chosen

/// The target is constant in the training rows of one fold; or the choice finds no network better than a constant.
TEST(Device, FitsWithoutUnitsAreTheCpus) {
  data::Table constant = make_noise(60);
  constant.columns[1].numbers.assign(60, 0.1f);
  constant.columns[1].numbers[7] = 3.0f;
  const std::pair<data::Table, config::Config> cases[] = {{constant, {.units = 8, .automatic = false}},
                                                          {make_noise(60), {.max_iter = 3}}};
  for (const bool curve : {false, true})
    for (const auto& [table, settings] : cases) {
      core::Workers workers(2);
      CpuDevice device;
      CrossValidation how{.folds = 3, .curve = curve};
      const auto here = cross_validate(table, with(settings), how, workers);
      how.device = &device;
      const auto there = cross_validate(table, with(settings), how, workers);
      EXPECT_TRUE(std::ranges::any_of(here.folds, [](const FoldScore& fold) { return fold.units == 0; }));
      expect_equal_folds(here, there);
    }
}

TEST(Device, CrossValidationStops) {
  const data::Table table = data::generator_named("twonorm").make(60, 3);
  core::Workers workers(1);
  CpuDevice device;
  std::size_t finished = 0;
  const CrossValidation how{
      3, 1, false, [&](std::size_t done, std::size_t) { finished = done; }, [&] { return finished > 0; }, &device};
  const auto result = cross_validate(table, with({.units = 8, .automatic = false}), how, workers);
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(result.folds.size(), 1u);
}

/// By the steps of one fit after the other, which may stop anywhere; many at once have as many as were asked for.
TEST(Device, FitsThatEndByThemselvesAreDoneInTurn) {
  const data::Table table = data::generator_named("twonorm").make(90, 3);
  const auto options =
      with({.units = 80, .learning_rate = 1, .validation_fraction = 0.2, .patience = 8, .automatic = false});
  core::Workers workers(2);
  CpuDevice device;
  CrossValidation how{3, 1, false, {}, {}};
  const auto here = cross_validate(table, options, how, workers);
  how.device = &device;
  std::size_t told = 0;
  how.done = [&](std::size_t done, std::size_t) { told = done; };
  const auto there = cross_validate(table, options, how, workers);
  EXPECT_EQ(told, 3u);
  EXPECT_TRUE(device.batches.empty());
  EXPECT_FALSE(device.grown.empty());
  ASSERT_EQ(here.folds.size(), there.folds.size());
  for (std::size_t f = 0; f < here.folds.size(); ++f) {
    EXPECT_LT(here.folds[f].units, 80u) << "patience must end the fit before 80 units";
    EXPECT_EQ(here.folds[f].units, there.folds[f].units);
    EXPECT_EQ(here.folds[f].metrics, there.folds[f].metrics);
  }
}

TEST(Device, WhatEndsAFitEarlyHasNoPlaceInABatch) {
  const data::Table table = data::generator_named("twonorm").make(60, 3);
  CpuDevice device;
  DeviceBatch batch(table, device);
  for (const config::Config& given : {config::Config{.validation_fraction = 0.2, .automatic = false},
                                      config::Config{.automatic = false, .time_limit = 5}}) {
    auto options = with(given);
    options.task = data::Task::binary;
    const std::string said = thrown_message<core::UsageError>([&] {
      batch.add({{0, 1, 2, 3}, {4}}, options, DeviceBatch::Scored::whole);
    });
    EXPECT_TRUE(said.starts_with("device toy: ")) << config::settings_of(given).front().first << ": " << said;
  }
}

TEST(Device, ContendersThatGrowAreFittedThereAndOthersHere) {
  const data::Table table = data::generator_named("twonorm").make(80, 3);
  const Problem problem = read_problem(table, {}, data::Task::binary);
  const auto splits = draw_folds(problem, boosting::all_rows(80), {2, 1});
  core::Workers workers(1);
  CpuDevice device;
  for (const char* preset : {"paper", "default"}) {
    const ContenderSetup setup{"grown", "", model::Method::boosting, preset, {{"units", "12"}}};
    const Contender here(setup, "", data::Task::binary), there(setup, "", data::Task::binary, &device, &workers);
    EXPECT_TRUE(there.has_device());
    EXPECT_NE(here.text({}, whole_model), there.text({}, whole_model)) << "a store tells them apart";
    const std::size_t units[] = {whole_model};
    const Settings none;
    std::vector<FitTask> tasks;
    for (const auto& split : splits) tasks.push_back({problem, split, none, units, 7});
    std::vector<FitRecord> records(tasks.size());
    EXPECT_TRUE(there.fit_many(tasks, [&](std::size_t i, FitRecord r) { records[i] = std::move(r); }, {}));
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const auto alone = here.fit(tasks[i], {}).value();
      EXPECT_EQ(alone.units, records[i].units);
      ASSERT_EQ(records[i].prefixes.size(), 1u);
      EXPECT_EQ(alone.prefixes[0].metrics, records[i].prefixes[0].metrics);
    }
  }
  const Contender plain({"adam", "", model::Method::network, "", {}}, "", data::Task::binary, &device, &workers);
  EXPECT_FALSE(plain.has_device());
}

}  // namespace
}  // namespace accrete::tune::device_batch_test
