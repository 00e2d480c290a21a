// Many whole fits on a GPU against the CPU's own loop.

#include "accrete/backend/cuda/device.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/cuda/cuda_test.hpp"

namespace accrete::cuda {
namespace {

/// From the same draws the first step must be the same step, but for rounding, which is given no time to lead
/// elsewhere. Few rows are a warp's work, many a block's; one unit on ten features is evaluated in its own way, and
/// more features than a thread has registers for in parts.
TEST_F(CudaTest, TheFirstStepIsTheCpus) {
  struct Case {
    const char *data, *preset, *loss, *activation, *units;
  };
  const Case cases[] = {
      {"twonorm", "paper", "logistic", "logistic", "1"},   {"twonorm", "default", "logistic", "relu", "4"},
      {"twonorm", "paper", "logistic", "tanh", "4"},       {"friedman1", "paper", "squared", "logistic", "1"},
      {"waveform", "paper", "softmax", "tanh", "2"},       {"waveform", "default", "softmax", "relu", "3"},
      {"waveform", "paper", "softmax", "logistic", "4"},   {"friedman1", "paper", "squared", "tanh", "1"},
      {"friedman1", "paper", "squared", "logistic", "3"},  {"friedman1", "default", "squared", "tanh", "4"},
      {"friedman1", "default", "huber", "relu", "2"},      {"friedman1", "default", "quantile", "tanh", "1"},
      {"friedman1", "default", "poisson", "logistic", "2"}};
  const std::size_t seeds = full_or_small(4, 1);
  for (const std::size_t rows : {full_or_small(300, 150), full_or_small(12'000, 1'500)})
    for (const Case& c : cases) {
      const Fits made = make(c.data, rows, c.preset,
                             {{"loss", c.loss},
                              {"activation", c.activation},
                              {"units_per_step", c.units},
                              {"units", c.units},
                              {"max_iter", full_or_small("6", "3")}},
                             seeds);
      const auto scores = on_device(made);
      for (std::size_t seed = 0; seed < seeds; ++seed) {
        const double expected = on_cpu(made, seed);
        EXPECT_NEAR(scores[seed].train_loss, expected, 1e-3 * std::abs(expected))
            << c.data << " " << c.preset << " " << c.loss << " " << c.units << " " << rows << " " << seed;
      }
    }
}

/// More features than a thread has registers for are gone through in parts, and with very many their sums are not in
/// shared memory; ten classes take another way altogether.
TEST_F(CudaTest, ManyFeaturesAndManyClasses) {
  struct Case {
    const char *data, *preset, *units, *bins;
  };
  const Case cases[] = {{"twonorm", "paper", "1", "4"},
                        {"twonorm", "default", "4", "4"},
                        {"twonorm", "paper", "1", "64"},
                        {"poker", "paper", "3", "0"},
                        {"poker", "default", "4", "0"}};
  for (const Case& c : cases) {
    const Fits made = make(c.data, 600, c.preset,
                           {{"units_per_step", c.units}, {"units", c.units}, {"bins", c.bins}, {"max_iter", "6"}}, 3);
    const auto scores = on_device(made);
    for (std::size_t seed = 0; seed < 3; ++seed) {
      const double expected = on_cpu(made, seed);
      EXPECT_NEAR(scores[seed].train_loss, expected, 1e-3 * std::abs(expected))
          << c.data << " " << c.preset << " " << seed;
    }
  }
}

/// After many steps rounding has led elsewhere, to a place as good: over many seeds the losses differ, fit by fit, by
/// no more than chance.
TEST_F(CudaTest, WholeFitsEndAtTheCpusLoss) {
  struct Case {
    const char *data, *preset;
    Settings settings;
  };
  const Case cases[] = {{"twonorm", "default", {{"units", full_or_small("200", "8")}}},
                        {"waveform", "default", {{"units", full_or_small("120", "8")}}},
                        {"friedman1", "paper", {{"units", full_or_small("60", "6")}, {"units_per_step", "3"}}}};
  const std::size_t seeds = full_or_small(48, 8);  // single fits differ by a tenth
  for (const Case& c : cases) {
    const Fits made = make(c.data, 400, c.preset, c.settings, seeds);
    const auto scores = on_device(made);
    expect_the_cpus_losses(made, scores, std::string(c.data) + " " + c.preset);
  }
}

TEST_F(CudaTest, TheSameBitsAgain) {
  const Fits made = make("waveform", 300, "paper", {{"units", full_or_small("20", "4")}, {"units_per_step", "2"}},
                         full_or_small(50, 8));
  const auto once = on_device(made), again = on_device(made);
  for (std::size_t f = 0; f < once.size(); ++f) {
    EXPECT_EQ(once[f].train_loss, again[f].train_loss);
    for (std::size_t i = 0; i < once[f].prefixes[0].flat().size(); ++i)
      ASSERT_EQ(once[f].prefixes[0].flat()[i], again[f].prefixes[0].flat()[i]);
  }
}

TEST_F(CudaTest, APrefixIsTheShorterFit) {
  Fits longer = make("twonorm", 300, "default", {{"units", "40"}}, 3);
  for (WholeFit& fit : longer.fits) fit.prefixes = {0, 3, 10};
  const Fits shorter = make("twonorm", 300, "default", {{"units", "12"}}, 3);
  const auto all = on_device(longer), some = on_device(shorter);
  for (std::size_t f = 0; f < 3; ++f) {
    ASSERT_EQ(all[f].prefixes.size(), 3u);
    for (const double score : all[f].prefixes[0].flat()) EXPECT_FLOAT_EQ(score, longer.fits[f].start[0]);
    for (std::size_t r = 0; r < some[f].prefixes[0].rows(); ++r)
      EXPECT_EQ(all[f].prefixes[1](r, 0), some[f].prefixes[0](r, 0));
  }
}

TEST_F(CudaTest, FitsOfSeveralSizesAndRowsTogether) {
  Fits small = make("twonorm", 120, "paper", {{"units", "12"}, {"units_per_step", "1"}}, 5);
  const Fits large = make("twonorm", 900, "paper", {{"units", "12"}, {"units_per_step", "3"}, {"subsample", "1"}}, 5);
  const auto alone_small = on_device(small), alone_large = on_device(large);
  small.rows.push_back(large.rows[0]);
  for (WholeFit fit : large.fits) {
    fit.rows = 1;
    small.fits.push_back(fit);
  }
  const auto together = on_device(small);
  for (std::size_t f = 0; f < 5; ++f) {
    EXPECT_EQ(together[f].train_loss, alone_small[f].train_loss);
    EXPECT_EQ(together[5 + f].train_loss, alone_large[f].train_loss);
  }
}

TEST_F(CudaTest, WhatItCannotDoIsSaid) {
  boosting::Config config = make("twonorm", 100, "paper", {}, 1).fits[0].config;
  EXPECT_EQ(device_->reason_against(config, 1), "");
  config.units_per_step = 9;
  EXPECT_EQ(device_->reason_against(config, 300), "");
  config.solver = "adam";
  EXPECT_NE(device_->reason_against(config, 1), "");
}

/// Two targets at once: a block of units for both.
TEST_F(CudaTest, SeveralTargets) {
  for (const char* preset : {"paper", "default"}) {
    const Fits made = make_targets(2, 300, preset, {{"units", "3"}, {"units_per_step", "3"}, {"max_iter", "6"}}, 4);
    const auto scores = on_device(made);
    for (std::size_t seed = 0; seed < 4; ++seed) {
      const double expected = on_cpu(made, seed);
      EXPECT_NEAR(scores[seed].train_loss, expected, 1e-3 * std::abs(expected)) << preset << " " << seed;
      EXPECT_EQ(scores[seed].prefixes[0].cols(), 2u);
    }
  }
}

TEST_F(CudaTest, TheDevicesOwnClock) {
  const Fits made = make("twonorm", 100, "paper", {{"units", "4"}}, 3);
  double seconds = 0.0;
  backend::FitsWatch watch;
  watch.launched = [&](double s) { seconds += s; };
  EXPECT_TRUE(device_->fit(made.rows, made.fits, watch));
  EXPECT_GT(seconds, 0.0);
}

TEST_F(CudaTest, StopsBetweenLaunches) {
  const Fits made = make("twonorm", 100, "paper", {{"units", "4"}}, 3);
  backend::FitsWatch watch;
  watch.stop = [] { return true; };
  EXPECT_FALSE(device_->fit(made.rows, made.fits, watch));
}

}  // namespace
}  // namespace accrete::cuda
