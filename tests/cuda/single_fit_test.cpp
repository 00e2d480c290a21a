// A single fit by the whole GPU, compared with the CPU.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/cuda/single_fit.hpp"

namespace accrete::cuda::single_fit_test {
namespace {

/// Rounding differences cannot build up.
constexpr std::uint64_t few_iterations = 6;

struct SingleCase {
  const char *data, *preset, *loss, *activation;
  std::uint64_t units;
  double subsample;
};

const SingleCase cases[] = {
    {"twonorm", "paper", "logistic", "logistic", 1, 0.5}, {"twonorm", "default", "logistic", "relu", 4, 1},
    {"waveform", "paper", "softmax", "tanh", 2, 0.75},    {"waveform", "default", "softmax", "relu", 3, 1},
    {"friedman1", "paper", "squared", "logistic", 3, 1},  {"friedman1", "default", "squared", "tanh", 4, 0.5},
    {"friedman1", "default", "huber", "relu", 2, 1},      {"friedman1", "default", "quantile", "tanh", 1, 1},
    {"friedman1", "default", "poisson", "logistic", 2, 1}};

/// One block of threads, and several.
TEST_F(CudaSingleFit, TakesTheFirstStepOfTheCpu) {
  const std::size_t seeds = full_or_small(2, 1);
  for (const std::size_t rows : {150, full_or_small(1500, 500)})
    for (const SingleCase& c : cases) {
      const FitSet set = make(c.data, rows, c.preset,
                              {.units = c.units,
                               .units_per_step = c.units,
                               .subsample = c.subsample,
                               .activation = c.activation,
                               .loss = c.loss,
                               .max_iter = few_iterations},
                              seeds);
      for (std::size_t seed = 0; seed < seeds; ++seed) {
        const double expected = cpu_loss(set, seed);
        EXPECT_NEAR(grow(set, seed, {1}).losses.back(), expected, 1e-3 * std::abs(expected))
            << c.data << " " << c.loss << " " << rows << " " << seed;
      }
    }
}

class CudaSingleFitBlocks : public CudaSingleFit, public testing::WithParamInterface<SingleCase> {};

TEST_P(CudaSingleFitBlocks, ReproduceTheLossesOfTheDevice) {
  const SingleCase& c = GetParam();
  const FitSet set = make(c.data, full_or_small(700, 400), c.preset,
                          {.units_per_step = c.units,
                           .subsample = c.subsample,
                           .feature_fraction = 0.6,
                           .activation = c.activation,
                           .loss = c.loss,
                           .max_iter = few_iterations},
                          1);
  const GrownNetwork grown = grow(set, 0, {full_or_small<std::size_t>(6, 2)});
  const auto expected = prefix_losses(set, grown.network);
  ASSERT_EQ(expected.size(), grown.losses.size());
  for (std::size_t s = 0; s < expected.size(); ++s)
    EXPECT_NEAR(grown.losses[s], expected[s], 1e-4 * std::abs(expected[s])) << s;
}

INSTANTIATE_TEST_SUITE_P(Cases, CudaSingleFitBlocks, testing::ValuesIn(cases), [](const auto& info) {
  return fmt::format("{}_{}_{}_{}", info.param.data, info.param.preset, info.param.loss, info.param.units);
});

TEST_F(CudaSingleFit, HasTheSameBitsInOneCallAndInSeveral) {
  const FitSet set =
      make("waveform", full_or_small(900, 300), "paper", {.units_per_step = 2, .max_iter = full_or_small(6, 1)}, 1);
  const GrownNetwork once = grow(set, 0, {40}), parts = grow(set, 0, {1, 2, 33, 4});
  EXPECT_EQ(once.losses, parts.losses);
  ASSERT_EQ(once.network.units(), parts.network.units());
  for (std::size_t i = 0; i < once.network.hidden_weights().size(); ++i)
    ASSERT_EQ(once.network.hidden_weights()[i], parts.network.hidden_weights()[i]);
  for (std::size_t i = 0; i < once.network.prefix_bias().size(); ++i)
    ASSERT_EQ(once.network.prefix_bias()[i], parts.network.prefix_bias()[i]);
}

/// Six iterations take at least seven evaluations.
TEST_F(CudaSingleFit, CountsEvaluations) {
  const FitSet set = make("twonorm", full_or_small(900, 400), "default", {.max_iter = few_iterations}, 1);
  const auto fit = device_->begin(set.rows[0].train, set.fits[0].config, set.fits[0].start);
  EXPECT_EQ(fit->cost().evaluations, 0u);
  fit->grow(5);
  const auto after_five = fit->cost();
  EXPECT_GE(after_five.evaluations, 5u * 7u);
  EXPECT_LE(after_five.evaluations, 5u * 6u * 20u);
  EXPECT_GT(after_five.seconds, 0.0);
  fit->grow(5);
  EXPECT_GE(fit->cost().evaluations, after_five.evaluations + 5u * 7u);
}

TEST_F(CudaSingleFit, TakesTheFirstStepOfManyFits) {
  const FitSet set = make("twonorm", 2000, "default", {.units = 4, .max_iter = few_iterations}, 3);
  const auto many = fit_on_device(set);
  for (std::size_t seed = 0; seed < 3; ++seed)
    EXPECT_NEAR(grow(set, seed, {1}).losses.back(), many[seed].train_loss, 1e-3 * many[seed].train_loss);
}

TEST_F(CudaSingleFit, EndsAtTheLossOfTheCpu) {
  struct LongFit {
    const char *data, *preset;
    config::Config given;
  };
  const LongFit fits[] = {{"twonorm", "default", {.units = full_or_small(120, 8)}},
                          {"waveform", "default", {.units = full_or_small(60, 8)}},
                          {"friedman1", "paper", {.units = full_or_small(60, 6), .units_per_step = 3}}};
  const std::size_t seeds = full_or_small(16, 2);
  for (const LongFit& fit : fits) {
    const FitSet set = make(fit.data, full_or_small(600, 300), fit.preset, fit.given, seeds);
    const std::size_t steps = set.fits[0].prefixes[0];
    double gpu = 0.0, cpu = 0.0;
    for (std::size_t seed = 0; seed < seeds; ++seed)
      gpu += grow(set, seed, {steps}).losses.back(), cpu += cpu_loss(set, seed);
    EXPECT_NEAR(gpu / cpu, 1.0, 0.04) << fit.data << " " << fit.preset;
  }
}

TEST_F(CudaSingleFit, TrainsAModelWithEarlyStopping) {
  const data::Table table = data::generator_named("waveform").make(full_or_small(1200, 400), 3);
  boosting::FitOptions options;
  options.config = {.units = full_or_small(80, 28),
                    .max_iter = full_or_small(50, 6),
                    .validation_fraction = 0.2,
                    .patience = 40,
                    .automatic = false};
  const auto cpu = boosting::fit(table, options);
  options.device = device_.get();
  std::size_t reports = 0;
  const auto gpu = boosting::fit(table, options, [&](const boosting::Progress&) { return ++reports > 0; });
  EXPECT_GT(reports, 3u);
  EXPECT_NEAR(gpu.model.provenance.validation_loss[5], cpu.model.provenance.validation_loss[5],
              0.1 * cpu.model.provenance.validation_loss[5]);
  EXPECT_EQ(gpu.model.provenance.train_loss.size(), gpu.model.provenance.validation_loss.size());
}

TEST_F(CudaSingleFit, ResumesFromScores) {
  for (const char* data : {"twonorm", "waveform", "friedman1"}) {
    const FitSet set =
        make(data, full_or_small(900, 300), "default", {.units_per_step = 3, .max_iter = few_iterations}, 1);
    const GrownNetwork unbroken = grow(set, 0, {4});
    const auto fit = device_->begin(set.rows[0].train, set.fits[0].config, set.fits[0].start);
    fit->resume_from(3, scores_after(set, unbroken.network, 3));
    EXPECT_NEAR(fit->train_loss(), unbroken.losses[3], 1e-5 * unbroken.losses[3]) << data;
    EXPECT_NEAR(fit->grow(1)[0].train_loss, unbroken.losses[4], 1e-3 * unbroken.losses[4]) << data;
    EXPECT_LT(unbroken.losses[4], unbroken.losses[3]) << data;
  }
}

TEST_F(CudaSingleFit, GrowsAFinishedModel) {
  const data::Table table = data::generator_named("friedman1").make(full_or_small(900, 300), 3);
  boosting::FitOptions options;
  options.config = {.units = 24, .max_iter = full_or_small(100, 6), .automatic = false};
  const auto small = boosting::fit(table, options).model;
  options.config = {.units = full_or_small(80, 36)};
  const auto cpu = boosting::grow(small, table, options).model;
  options.device = device_.get();
  const auto gpu = boosting::grow(small, table, options).model;
  ASSERT_EQ(gpu.provenance.train_loss.size(), cpu.provenance.train_loss.size());
  for (std::size_t s = 0; s <= 6; ++s) EXPECT_EQ(gpu.provenance.train_loss[s], cpu.provenance.train_loss[s]) << s;
  EXPECT_NEAR(gpu.provenance.train_loss[7], cpu.provenance.train_loss[7], 0.05 * cpu.provenance.train_loss[7]);
  EXPECT_NEAR(gpu.provenance.train_loss.back(), cpu.provenance.train_loss.back(),
              0.25 * cpu.provenance.train_loss.back());
}

TEST_F(CudaSingleFit, FitsSeveralTargets) {
  for (const char* preset : {"paper", "default"}) {
    const FitSet set = make_targets(2, 600, preset, {.units = 2, .units_per_step = 2, .max_iter = few_iterations}, 2);
    for (std::size_t seed = 0; seed < 2; ++seed) {
      const double expected = cpu_loss(set, seed);
      EXPECT_NEAR(grow(set, seed, {1}).losses.back(), expected, 1e-3 * std::abs(expected)) << preset << " " << seed;
    }
  }
}

}  // namespace
}  // namespace accrete::cuda::single_fit_test
