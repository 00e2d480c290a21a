// A single fit whose steps are taken by a machine, held against the CPU's own; here the machine is the CPU.

#include <gtest/gtest.h>

#include <numeric>
#include <optional>

#include "accrete/boosting/fit.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/random.hpp"
#include "accrete/data/generate.hpp"
#include "tests/tune/cpu_machine.hpp"

namespace accrete::boosting {
namespace {

using tune::CpuMachine;

FitOptions with(std::vector<Setting> settings, backend::ManyFits* machine) {
  FitOptions options;
  options.overrides = std::move(settings);
  options.machine = machine;
  return options;
}

/// Biases are told apart by a difference, the rest bit by bit.
void expect_same(const model::Model& a, const model::Model& b) {
  ASSERT_EQ(a.network.units(), b.network.units());
  for (std::size_t i = 0; i < a.network.hidden_weights().size(); ++i)
    ASSERT_EQ(a.network.hidden_weights()[i], b.network.hidden_weights()[i]);
  for (std::size_t i = 0; i < a.network.output_weights().size(); ++i)
    ASSERT_EQ(a.network.output_weights()[i], b.network.output_weights()[i]);
  for (std::size_t i = 0; i < a.network.prefix_bias().size(); ++i)
    ASSERT_NEAR(a.network.prefix_bias()[i], b.network.prefix_bias()[i], 1e-12);
  EXPECT_EQ(a.provenance.parameters, b.provenance.parameters);
  EXPECT_EQ(a.provenance.train_loss, b.provenance.train_loss);
  ASSERT_EQ(a.provenance.validation_loss.size(), b.provenance.validation_loss.size());
  for (std::size_t i = 0; i < a.provenance.validation_loss.size(); ++i)
    EXPECT_NEAR(a.provenance.validation_loss[i], b.provenance.validation_loss[i], 1e-9);
}

TEST(FitOnMachine, TheModelIsTheCpus) {
  for (const char* data : {"twonorm", "waveform", "friedman1"}) {
    const data::Table table = data::generator_named(data).make(120, 3);
    CpuMachine machine;
    const std::vector<Setting> settings{{"units", "60"}, {"alpha", "0.1"}};  // bins are chosen
    const auto here = fit(table, with(settings, nullptr)), there = fit(table, with(settings, &machine));
    expect_same(here.model, there.model);
    std::size_t steps = 0;
    for (const std::size_t many : machine.grown) steps += many;
    EXPECT_EQ(steps, 30u) << "two units each, where there are so few rows";
    EXPECT_LT(machine.grown.size(), steps) << "several at a time";
  }
}

TEST(FitOnMachine, PatienceEndsIt) {
  const data::Table table = data::generator_named("twonorm").make(120, 3);
  CpuMachine machine;
  const std::vector<Setting> settings{
      {"units", "400"}, {"auto", "off"}, {"learning_rate", "1"}, {"validation_fraction", "0.3"}, {"patience", "20"}};
  const auto here = fit(table, with(settings, nullptr)), there = fit(table, with(settings, &machine));
  EXPECT_EQ(here.stop, Stop::patience);
  EXPECT_EQ(there.stop, Stop::patience);
  expect_same(here.model, there.model);
}

TEST(FitOnMachine, AnObserverEndsItAtAnyStep) {
  const data::Table table = data::generator_named("twonorm").make(60, 3);
  CpuMachine machine;
  const auto result = fit(table, with({{"units", "80"}, {"auto", "off"}}, &machine),
                          [](const Progress& progress) { return progress.step < 6; });
  EXPECT_EQ(result.stop, Stop::observer);
  EXPECT_EQ(result.model.network.steps(), 6u);
}

/// From the scores of the units that are there, by steps that draw what an unbroken fit draws.
TEST(FitOnMachine, AModelGrows) {
  for (const char* data : {"twonorm", "waveform", "friedman1"}) {
    const data::Table table = data::generator_named(data).make(120, 3);
    const auto small = fit(table, with({{"units", "24"}, {"auto", "off"}}, nullptr)).model;
    CpuMachine machine;
    const auto here = grow(small, table, with({{"units", "60"}}, nullptr)),
               there = grow(small, table, with({{"units", "60"}}, &machine));
    expect_same(here.model, there.model);
    EXPECT_EQ(machine.went_on, std::vector<std::size_t>{6});
    EXPECT_LT(machine.furthest, 1e-5);
    EXPECT_EQ(std::accumulate(machine.grown.begin(), machine.grown.end(), std::size_t{0}), 9u);
  }
}

TEST(FitOnMachine, ACheckpointIsResumed) {
  const data::Table table = data::generator_named("twonorm").make(120, 3);
  const std::vector<Setting> settings{{"units", "48"}, {"auto", "off"}};
  std::optional<model::Model> checkpoint;
  const auto whole = fit(table, with(settings, nullptr), [&](const Progress& progress) {
    if (progress.step == 5) checkpoint = progress.snapshot();
    return true;
  });
  CpuMachine machine;
  FitOptions options = with(settings, &machine);
  options.resume = &*checkpoint;
  expect_same(whole.model, fit(table, options).model);
  EXPECT_EQ(machine.went_on, std::vector<std::size_t>{5});
}

/// A million numbers are enough for the machine to grow what is chosen from, as far as each rung, one after the other.
TEST(FitOnMachine, LargePartsAreChosenFromOnTheMachine) {
  constexpr std::size_t rows = 1100, columns = 1200;
  core::Matrix<float> values(rows, columns + 1);
  core::Rng rng(1, 0, core::Purpose::generator);
  for (float& value : values.flat()) value = static_cast<float>(rng.uniform());
  const data::Table table = data::Table::from_rows(values);
  const std::vector<Setting> settings{{"units", "8"}, {"bins", "0"}, {"max_iter", "2"}, {"feature_fraction", "0.1"}};
  CpuMachine machine;
  const auto here = fit(table, with(settings, nullptr)), there = fit(table, with(settings, &machine));
  expect_same(here.model, there.model);
  EXPECT_EQ(std::accumulate(machine.grown.begin(), machine.grown.end(), std::size_t{0}), 16u)
      << "of three penalties, and then of all rows";
}

TEST(FitOnMachine, WhatItCannotGrowIsSaid) {
  const data::Table table = data::generator_named("twonorm").make(60, 3);
  const auto small = fit(table, with({{"units", "8"}, {"auto", "off"}}, nullptr)).model;
  CpuMachine machine;
  machine.most_units = 3;
  EXPECT_THROW(grow(small, table, with({{"units", "16"}}, &machine)), core::UsageError);
}

TEST(FitOnMachine, WhatItCannotDoIsSaidBeforeAnythingIsChosen) {
  const data::Table table = data::generator_named("twonorm").make(60, 3);
  CpuMachine machine;
  machine.most_units = 3;
  FitOptions options = with({{"units", "8"}}, &machine);
  options.choosing = [](std::size_t, std::size_t) {
    ADD_FAILURE() << "it was choosing";
    return true;
  };
  try {
    fit(table, options);
    FAIL() << "it was not refused";
  } catch (const core::UsageError& error) {
    EXPECT_STREQ(error.what(), "--device toy: too many units a step");
  }
}

}  // namespace
}  // namespace accrete::boosting
