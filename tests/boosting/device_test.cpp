// A fit whose steps are taken by a device gives the model of the CPU. The device here is the CPU's own loop.

#include <gtest/gtest.h>

#include <numeric>
#include <optional>

#include "accrete/boosting/fit.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/random.hpp"
#include "accrete/data/generate.hpp"
#include "tests/thrown_message.hpp"
#include "tests/tune/cpu_device.hpp"

namespace accrete::boosting::device_test {
namespace {

using tune::CpuDevice;

FitOptions with(config::Config settings, backend::FitDevice* device) {
  FitOptions options;
  options.config = std::move(settings);
  options.device = device;
  return options;
}

/// Biases may differ by rounding; everything else must be equal bit by bit.
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

TEST(FitOnDevice, GivesTheModelOfTheCpu) {
  for (const char* data : {"twonorm", "waveform", "friedman1"}) {
    const data::Table table = data::generator_named(data).make(120, 3);
    CpuDevice device;
    const config::Config settings{.units = 60, .alpha = 0.1};  // bins are chosen
    const auto here = fit(table, with(settings, nullptr)), there = fit(table, with(settings, &device));
    expect_same(here.model, there.model);
    std::size_t steps = 0;
    for (const std::size_t many : device.grown) steps += many;
    EXPECT_EQ(steps, 30u) << "two units per step on few rows";
    EXPECT_LT(device.grown.size(), steps) << "several steps per call";
  }
}

TEST(FitOnDevice, StopsEarly) {
  const data::Table table = data::generator_named("twonorm").make(120, 3);
  CpuDevice device;
  const config::Config settings{
      .units = 400, .learning_rate = 1, .validation_fraction = 0.3, .patience = 20, .automatic = false};
  const auto here = fit(table, with(settings, nullptr)), there = fit(table, with(settings, &device));
  EXPECT_EQ(here.stop, Stop::patience);
  EXPECT_EQ(there.stop, Stop::patience);
  expect_same(here.model, there.model);
}

TEST(FitOnDevice, StopsAtAnyStepWhenTheObserverAsks) {
  const data::Table table = data::generator_named("twonorm").make(60, 3);
  CpuDevice device;
  const auto result = fit(table, with({.units = 80, .automatic = false}, &device),
                          [](const Progress& progress) { return progress.step < 6; });
  EXPECT_EQ(result.stop, Stop::observer);
  EXPECT_EQ(result.model.network.steps(), 6u);
}

/// The device continues from replayed scores and draws what an uninterrupted fit draws.
TEST(FitOnDevice, GrowsAModel) {
  for (const char* data : {"twonorm", "waveform", "friedman1"}) {
    const data::Table table = data::generator_named(data).make(120, 3);
    const auto small = fit(table, with({.units = 24, .automatic = false}, nullptr)).model;
    CpuDevice device;
    const auto here = grow(small, table, with({.units = 60}, nullptr)),
               there = grow(small, table, with({.units = 60}, &device));
    expect_same(here.model, there.model);
    EXPECT_EQ(device.went_on, std::vector<std::size_t>{6});
    EXPECT_LT(device.furthest, 1e-5);
    EXPECT_EQ(std::accumulate(device.grown.begin(), device.grown.end(), std::size_t{0}), 9u);
  }
}

TEST(FitOnDevice, ResumesACheckpoint) {
  const data::Table table = data::generator_named("twonorm").make(120, 3);
  const config::Config settings{.units = 48, .automatic = false};
  std::optional<model::Model> checkpoint;
  const auto whole = fit(table, with(settings, nullptr), [&](const Progress& progress) {
    if (progress.step == 5) checkpoint = progress.snapshot();
    return true;
  });
  CpuDevice device;
  FitOptions options = with(settings, &device);
  options.resume = &*checkpoint;
  expect_same(whole.model, fit(table, options).model);
  EXPECT_EQ(device.went_on, std::vector<std::size_t>{5});
}

/// From a million cells on, candidates are grown on the device, rung by rung.
TEST(FitOnDevice, ComparesLargeCandidatesOnTheDevice) {
  constexpr std::size_t rows = 1100, columns = 1200;
  core::Matrix<float> values(rows, columns + 1);
  core::Rng rng(1, 0, core::Purpose::generator);
  for (float& value : values.flat()) value = static_cast<float>(rng.uniform());
  const data::Table table = data::Table::from_rows(values);
  const config::Config settings{.units = 8, .feature_fraction = 0.1, .bins = 0, .max_iter = 2};
  CpuDevice device;
  const auto here = fit(table, with(settings, nullptr)), there = fit(table, with(settings, &device));
  expect_same(here.model, there.model);
  EXPECT_EQ(std::accumulate(device.grown.begin(), device.grown.end(), std::size_t{0}), 20u)
      << "candidates, one more since the target is noise, then the fit of all rows";
}

TEST(FitOnDevice, RefusesGrowthItDoesNotSupport) {
  const data::Table table = data::generator_named("twonorm").make(60, 3);
  const auto small = fit(table, with({.units = 8, .automatic = false}, nullptr)).model;
  CpuDevice device;
  device.max_units = 3;
  EXPECT_THROW(grow(small, table, with({.units = 16}, &device)), core::UsageError);
}

TEST(FitOnDevice, RefusesUnsupportedFitsBeforeChoosing) {
  const data::Table table = data::generator_named("twonorm").make(60, 3);
  CpuDevice device;
  device.max_units = 3;
  FitOptions options = with({.units = 8}, &device);
  options.choosing = [](const TimeEstimate&) {
    ADD_FAILURE() << "settings were chosen";
    return true;
  };
  EXPECT_EQ(thrown_message<core::UsageError>([&] { fit(table, options); }),
            "device toy: too many units a step; use device cpu");
}

}  // namespace
}  // namespace accrete::boosting::device_test
