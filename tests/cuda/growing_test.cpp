// A single fit by the whole GPU against the CPU's own loop.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/cuda/growing.hpp"

namespace accrete::cuda {
namespace {

/// So few that rounding has no time to lead elsewhere.
const boosting::Setting few{"max_iter", "6"};

struct Case {
  const char *data, *preset, *loss, *activation, *units, *subsample;
};

const Case cases[] = {
    {"twonorm", "paper", "logistic", "logistic", "1", "0.5"}, {"twonorm", "default", "logistic", "relu", "4", "1"},
    {"waveform", "paper", "softmax", "tanh", "2", "0.75"},    {"waveform", "default", "softmax", "relu", "3", "1"},
    {"friedman1", "paper", "squared", "logistic", "3", "1"},  {"friedman1", "default", "squared", "tanh", "4", "0.5"},
    {"friedman1", "default", "huber", "relu", "2", "1"},      {"friedman1", "default", "quantile", "tanh", "1", "1"},
    {"friedman1", "default", "poisson", "logistic", "2", "1"}};

/// Few rows make one block, many make several: they must meet, and share rows, gradient and sums.
TEST_F(GrowingTest, TheFirstStepIsTheCpus) {
  const std::size_t seeds = full_or_small(2, 1);
  for (const std::size_t rows : {150, full_or_small(1500, 500)})
    for (const Case& c : cases) {
      const Fits made = make(c.data, rows, c.preset,
                             {{"loss", c.loss},
                              {"activation", c.activation},
                              {"units_per_step", c.units},
                              {"units", c.units},
                              {"subsample", c.subsample},
                              few},
                             seeds);
      for (std::size_t seed = 0; seed < seeds; ++seed) {
        const double expected = on_cpu(made, seed);
        EXPECT_NEAR(grow(made, seed, {1}).losses.back(), expected, 1e-3 * std::abs(expected))
            << c.data << " " << c.loss << " " << rows << " " << seed;
      }
    }
}

class BlocksTest : public GrowingTest, public testing::WithParamInterface<Case> {};

TEST_P(BlocksTest, AreTheNetworkThatTheDeviceHas) {
  const Case& c = GetParam();
  const Fits made = make(c.data, full_or_small(700, 400), c.preset,
                         {{"loss", c.loss},
                          {"activation", c.activation},
                          {"units_per_step", c.units},
                          {"subsample", c.subsample},
                          {"feature_fraction", "0.6"},
                          few},
                         1);
  const Grown grown = grow(made, 0, {full_or_small<std::size_t>(6, 2)});
  const auto expected = losses_of(made, grown.network);
  ASSERT_EQ(expected.size(), grown.losses.size());
  for (std::size_t s = 0; s < expected.size(); ++s)
    EXPECT_NEAR(grown.losses[s], expected[s], 1e-4 * std::abs(expected[s])) << s;
}

INSTANTIATE_TEST_SUITE_P(Cases, BlocksTest, testing::ValuesIn(cases), [](const auto& info) {
  return fmt::format("{}_{}_{}_{}", info.param.data, info.param.preset, info.param.loss, info.param.units);
});

TEST_F(GrowingTest, InPartsAndAtOnceAreTheSameBits) {
  const Fits made = make("waveform", full_or_small(900, 300), "paper",
                         {{"units_per_step", "2"}, {"max_iter", full_or_small("6", "1")}}, 1);
  const Grown once = grow(made, 0, {40}), parts = grow(made, 0, {1, 2, 33, 4});
  EXPECT_EQ(once.losses, parts.losses);
  ASSERT_EQ(once.network.units(), parts.network.units());
  for (std::size_t i = 0; i < once.network.hidden_weights().size(); ++i)
    ASSERT_EQ(once.network.hidden_weights()[i], parts.network.hidden_weights()[i]);
  for (std::size_t i = 0; i < once.network.prefix_bias().size(); ++i)
    ASSERT_EQ(once.network.prefix_bias()[i], parts.network.prefix_bias()[i]);
}

/// Six iterations take seven evaluations at least, and some a second trial.
TEST_F(GrowingTest, EvaluationsAreCounted) {
  const Fits made = make("twonorm", full_or_small(900, 400), "default", {few}, 1);
  const auto growing = device_->begin(made.rows[0].train, made.fits[0].config, made.fits[0].start);
  EXPECT_EQ(growing->effort().evaluations, 0u);
  growing->grow(5);
  const auto after_five = growing->effort();
  EXPECT_GE(after_five.evaluations, 5u * 7u);
  EXPECT_LE(after_five.evaluations, 5u * 6u * 20u);
  EXPECT_GT(after_five.seconds, 0.0);
  growing->grow(5);
  EXPECT_GE(growing->effort().evaluations, after_five.evaluations + 5u * 7u);
}

/// The same fit as one block of threads among many does it, but for the order of sums.
TEST_F(GrowingTest, TheFirstStepIsThatOfManyFits) {
  const Fits made = make("twonorm", 2000, "default", {{"units", "4"}, few}, 3);
  const auto many = on_device(made);
  for (std::size_t seed = 0; seed < 3; ++seed)
    EXPECT_NEAR(grow(made, seed, {1}).losses.back(), many[seed].train_loss, 1e-3 * many[seed].train_loss);
}

TEST_F(GrowingTest, WholeFitsEndAtTheCpusLoss) {
  struct Whole {
    const char *data, *preset;
    Settings settings;
  };
  const Whole wholes[] = {{"twonorm", "default", {{"units", full_or_small("120", "8")}}},
                          {"waveform", "default", {{"units", full_or_small("60", "8")}}},
                          {"friedman1", "paper", {{"units", full_or_small("60", "6")}, {"units_per_step", "3"}}}};
  const std::size_t seeds = full_or_small(16, 2);
  for (const Whole& whole : wholes) {
    const Fits made = make(whole.data, full_or_small(600, 300), whole.preset, whole.settings, seeds);
    const std::size_t steps = made.fits[0].prefixes[0];
    double mine = 0.0, theirs = 0.0;
    for (std::size_t seed = 0; seed < seeds; ++seed)
      mine += grow(made, seed, {steps}).losses.back(), theirs += on_cpu(made, seed);
    EXPECT_NEAR(mine / theirs, 1.0, 0.04) << whole.data << " " << whole.preset;
  }
}

TEST_F(GrowingTest, AModelLikeAnyOther) {
  const data::Table table = data::generator_named("waveform").make(full_or_small(1200, 400), 3);
  boosting::FitOptions options;
  options.overrides = {{"auto", "off"},
                       {"units", full_or_small("80", "28")},
                       {"validation_fraction", "0.2"},
                       {"patience", "40"},
                       {"max_iter", full_or_small("50", "6")}};
  const auto here = boosting::fit(table, options);
  options.machine = device_.get();
  std::size_t seen = 0;
  const auto there = boosting::fit(table, options, [&](const boosting::Progress&) { return ++seen > 0; });
  EXPECT_GT(seen, 3u);
  EXPECT_NEAR(there.model.provenance.validation_loss[5], here.model.provenance.validation_loss[5],
              0.1 * here.model.provenance.validation_loss[5]);
  EXPECT_EQ(there.model.provenance.train_loss.size(), there.model.provenance.validation_loss.size());
}

/// Scores told by the host are scores that the device found itself, but for rounding: the steps after them are those of
/// an unbroken fit.
TEST_F(GrowingTest, GoesOnFromScoresThatItIsTold) {
  for (const char* data : {"twonorm", "waveform", "friedman1"}) {
    const Fits made = make(data, full_or_small(900, 300), "default", {{"units_per_step", "3"}, few}, 1);
    const Grown whole = grow(made, 0, {4});
    const auto growing = device_->begin(made.rows[0].train, made.fits[0].config, made.fits[0].start);
    growing->go_on_from(3, scores_of(made, whole.network, 3));
    EXPECT_NEAR(growing->train_loss(), whole.losses[3], 1e-5 * whole.losses[3]) << data;
    EXPECT_NEAR(growing->grow(1)[0].train_loss, whole.losses[4], 1e-3 * whole.losses[4]) << data;
    EXPECT_LT(whole.losses[4], whole.losses[3]) << data;
  }
}

TEST_F(GrowingTest, AModelGrows) {
  const data::Table table = data::generator_named("friedman1").make(full_or_small(900, 300), 3);
  boosting::FitOptions options;
  options.overrides = {{"auto", "off"}, {"units", "24"}, {"max_iter", full_or_small("100", "6")}};
  const auto small = boosting::fit(table, options).model;
  options.overrides = {{"units", full_or_small("80", "36")}};
  const auto here = boosting::grow(small, table, options).model;
  options.machine = device_.get();
  const auto there = boosting::grow(small, table, options).model;
  ASSERT_EQ(there.provenance.train_loss.size(), here.provenance.train_loss.size());
  for (std::size_t s = 0; s <= 6; ++s) EXPECT_EQ(there.provenance.train_loss[s], here.provenance.train_loss[s]) << s;
  EXPECT_NEAR(there.provenance.train_loss[7], here.provenance.train_loss[7], 0.05 * here.provenance.train_loss[7]);
  EXPECT_NEAR(there.provenance.train_loss.back(), here.provenance.train_loss.back(),
              0.25 * here.provenance.train_loss.back());
}

TEST_F(GrowingTest, SeveralTargets) {
  for (const char* preset : {"paper", "default"}) {
    const Fits made = make_targets(2, 600, preset, {{"units", "2"}, {"units_per_step", "2"}, few}, 2);
    for (std::size_t seed = 0; seed < 2; ++seed) {
      const double expected = on_cpu(made, seed);
      EXPECT_NEAR(grow(made, seed, {1}).losses.back(), expected, 1e-3 * std::abs(expected)) << preset << " " << seed;
    }
  }
}

}  // namespace
}  // namespace accrete::cuda
