// Many fits at once on a GPU, compared with the same fits on the CPU.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/cuda/cuda_test.hpp"

namespace accrete::cuda::many_fits_test {
namespace {

using CudaManyFits = CudaTest;

/// Few iterations, so that rounding differences cannot build up. Small fits are run by a warp, large ones by a block;
/// one unit on ten features has a pass of its own.
TEST_F(CudaManyFits, TakeTheFirstStepOfTheCpu) {
  struct FitCase {
    const char *data, *preset, *loss, *activation;
    std::uint64_t units;
  };
  const FitCase cases[] = {
      {"twonorm", "paper", "logistic", "logistic", 1},   {"twonorm", "default", "logistic", "relu", 4},
      {"twonorm", "paper", "logistic", "tanh", 4},       {"friedman1", "paper", "squared", "logistic", 1},
      {"waveform", "paper", "softmax", "tanh", 2},       {"waveform", "default", "softmax", "relu", 3},
      {"waveform", "paper", "softmax", "logistic", 4},   {"friedman1", "paper", "squared", "tanh", 1},
      {"friedman1", "paper", "squared", "logistic", 3},  {"friedman1", "default", "squared", "tanh", 4},
      {"friedman1", "default", "huber", "relu", 2},      {"friedman1", "default", "quantile", "tanh", 1},
      {"friedman1", "default", "poisson", "logistic", 2}};
  const std::size_t seeds = full_or_small(4, 1);
  for (const std::size_t rows : {full_or_small(300, 150), full_or_small(12'000, 1'500)})
    for (const FitCase& c : cases) {
      const FitSet set = make(c.data, rows, c.preset,
                              {.units = c.units,
                               .units_per_step = c.units,
                               .activation = c.activation,
                               .loss = c.loss,
                               .max_iter = full_or_small(6, 3)},
                              seeds);
      const auto scores = fit_on_device(set);
      for (std::size_t seed = 0; seed < seeds; ++seed) {
        const double expected = cpu_loss(set, seed);
        EXPECT_NEAR(scores[seed].train_loss, expected, 1e-3 * std::abs(expected))
            << c.data << " " << c.preset << " " << c.loss << " " << c.units << " " << rows << " " << seed;
      }
    }
}

/// Features exceed a thread's registers, then shared memory; ten classes need the pass over stored errors.
TEST_F(CudaManyFits, HandleManyFeaturesAndManyClasses) {
  struct FitCase {
    const char *data, *preset;
    std::uint64_t units, bins;
  };
  const FitCase cases[] = {{"twonorm", "paper", 1, 4},
                           {"twonorm", "default", 4, 4},
                           {"twonorm", "paper", 1, 64},
                           {"poker", "paper", 3, 0},
                           {"poker", "default", 4, 0}};
  for (const FitCase& c : cases) {
    const FitSet set =
        make(c.data, 600, c.preset, {.units = c.units, .units_per_step = c.units, .bins = c.bins, .max_iter = 6}, 3);
    const auto scores = fit_on_device(set);
    for (std::size_t seed = 0; seed < 3; ++seed) {
      const double expected = cpu_loss(set, seed);
      EXPECT_NEAR(scores[seed].train_loss, expected, 1e-3 * std::abs(expected))
          << c.data << " " << c.preset << " " << seed;
    }
  }
}

/// After many steps rounding makes the fits differ, but not their mean loss over many seeds.
TEST_F(CudaManyFits, EndAtTheLossOfTheCpu) {
  struct FitCase {
    const char *data, *preset;
    config::Config given;
  };
  const FitCase cases[] = {{"twonorm", "default", {.units = full_or_small(200, 8)}},
                           {"waveform", "default", {.units = full_or_small(120, 8)}},
                           {"friedman1", "paper", {.units = full_or_small(60, 6), .units_per_step = 3}}};
  const std::size_t seeds = full_or_small(48, 8);  // single fits differ by 10 %
  for (const FitCase& c : cases) {
    const FitSet set = make(c.data, 400, c.preset, c.given, seeds);
    const auto scores = fit_on_device(set);
    expect_cpu_losses(set, scores, std::string(c.data) + " " + c.preset);
  }
}

TEST_F(CudaManyFits, RepeatTheSameBits) {
  const FitSet set =
      make("waveform", 300, "paper", {.units = full_or_small(20, 4), .units_per_step = 2}, full_or_small(50, 8));
  const auto once = fit_on_device(set), again = fit_on_device(set);
  for (std::size_t f = 0; f < once.size(); ++f) {
    EXPECT_EQ(once[f].train_loss, again[f].train_loss);
    for (std::size_t i = 0; i < once[f].prefixes[0].flat().size(); ++i)
      ASSERT_EQ(once[f].prefixes[0].flat()[i], again[f].prefixes[0].flat()[i]);
  }
}

TEST_F(CudaManyFits, ScoreAPrefixLikeAShorterFit) {
  FitSet longer = make("twonorm", 300, "default", {.units = 40}, 3);
  for (FitRequest& fit : longer.fits) fit.prefixes = {0, 3, 10};
  const FitSet shorter = make("twonorm", 300, "default", {.units = 12}, 3);
  const auto all = fit_on_device(longer), short_scores = fit_on_device(shorter);
  for (std::size_t f = 0; f < 3; ++f) {
    ASSERT_EQ(all[f].prefixes.size(), 3u);
    for (const double score : all[f].prefixes[0].flat()) EXPECT_FLOAT_EQ(score, longer.fits[f].start[0]);
    for (std::size_t r = 0; r < short_scores[f].prefixes[0].rows(); ++r)
      EXPECT_EQ(all[f].prefixes[1](r, 0), short_scores[f].prefixes[0](r, 0));
  }
}

TEST_F(CudaManyFits, HaveTheSameBitsBesideOtherFits) {
  FitSet small = make("twonorm", 120, "paper", {.units = 12, .units_per_step = 1}, 5);
  const FitSet large = make("twonorm", 900, "paper", {.units = 12, .units_per_step = 3, .subsample = 1}, 5);
  const auto alone_small = fit_on_device(small), alone_large = fit_on_device(large);
  small.rows.push_back(large.rows[0]);
  for (FitRequest fit : large.fits) {
    fit.rows = 1;
    small.fits.push_back(fit);
  }
  const auto together = fit_on_device(small);
  for (std::size_t f = 0; f < 5; ++f) {
    EXPECT_EQ(together[f].train_loss, alone_small[f].train_loss);
    EXPECT_EQ(together[5 + f].train_loss, alone_large[f].train_loss);
  }
}

TEST_F(CudaManyFits, ReportUnsupportedConfigurations) {
  config::ResolvedConfig config = make("twonorm", 100, "paper", {}, 1).fits[0].config;
  EXPECT_EQ(device_->unsupported_reason(config, 1), "");
  config.units_per_step = 9;
  EXPECT_EQ(device_->unsupported_reason(config, 300), "");
  config.solver = "adam";
  EXPECT_NE(device_->unsupported_reason(config, 1), "");
  config.solver = "lbfgs";
  config.interactions.additive = true;
  EXPECT_NE(device_->unsupported_reason(config, 1), "");
}

TEST_F(CudaManyFits, FitSeveralTargets) {
  for (const char* preset : {"paper", "default"}) {
    const FitSet set = make_targets(2, 300, preset, {.units = 3, .units_per_step = 3, .max_iter = 6}, 4);
    const auto scores = fit_on_device(set);
    for (std::size_t seed = 0; seed < 4; ++seed) {
      const double expected = cpu_loss(set, seed);
      EXPECT_NEAR(scores[seed].train_loss, expected, 1e-3 * std::abs(expected)) << preset << " " << seed;
      EXPECT_EQ(scores[seed].prefixes[0].cols(), 2u);
    }
  }
}

TEST_F(CudaManyFits, ReportDeviceTime) {
  const FitSet set = make("twonorm", 100, "paper", {.units = 4}, 3);
  double seconds = 0.0;
  backend::FitCallbacks callbacks;
  callbacks.launched = [&](double s) { seconds += s; };
  EXPECT_TRUE(device_->fit(set.rows, set.fits, callbacks));
  EXPECT_GT(seconds, 0.0);
}

TEST_F(CudaManyFits, StopBetweenLaunches) {
  const FitSet set = make("twonorm", 100, "paper", {.units = 4}, 3);
  backend::FitCallbacks callbacks;
  callbacks.stop = [] { return true; };
  EXPECT_FALSE(device_->fit(set.rows, set.fits, callbacks));
}

}  // namespace
}  // namespace accrete::cuda::many_fits_test
