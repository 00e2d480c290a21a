// Fits with more units a step, outputs or features than a kernel has registers and shared memory for, against the CPU's
// own loop.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/cuda/growing.hpp"

namespace accrete::cuda {
namespace {

struct Case {
  const char* data;     ///< a generator, or friedman1 as
  std::size_t outputs;  ///< so many classes or targets, where it is not 0
  const char *preset, *loss, *units, *subsample;
};

class GeneralTest : public GrowingTest {
 protected:
  static Fits make_case(const Case& c, std::size_t rows, Settings settings, std::size_t seeds) {
    settings.insert(settings.end(), {{"loss", c.loss}, {"units_per_step", c.units}, {"subsample", c.subsample}});
    if (c.data == std::string("classes")) return make_classes(c.outputs, rows, c.preset, settings, seeds);
    if (c.data == std::string("targets")) return make_targets(c.outputs, rows, c.preset, settings, seeds);
    return make(c.data, rows, c.preset, settings, seeds);
  }

  static std::string name_of(const Case& c) {
    return c.data + (" of " + std::to_string(c.outputs)) + ", " + c.preset + ", " + c.loss + ", " + c.units + " units";
  }
};

// Residual, direct and projected, each of one output and of many, of numbers of units that fill fours and that do not.
const Case cases[] = {
    {"twonorm", 0, "paper", "logistic", "8", "1"},     {"twonorm", 0, "default", "logistic", "16", "1"},
    {"friedman1", 0, "paper", "squared", "5", "0.5"},  {"friedman1", 0, "default", "squared", "8", "1"},
    {"friedman1", 0, "default", "huber", "6", "0.75"}, {"friedman1", 0, "default", "poisson", "7", "1"},
    {"waveform", 0, "paper", "softmax", "8", "1"},     {"poker", 0, "default", "softmax", "9", "1"},
    {"classes", 26, "paper", "softmax", "1", "1"},     {"classes", 26, "default", "softmax", "4", "1"},
    {"classes", 26, "paper", "softmax", "8", "0.75"},  {"targets", 6, "paper", "squared", "3", "1"},
    {"targets", 6, "default", "squared", "8", "1"},    {"targets", 10, "default", "quantile", "2", "0.5"}};

/// So few iterations that rounding has no time to lead elsewhere. Two sizes: one block of threads, and several.
TEST_F(GeneralTest, TheFirstStepIsTheCpus) {
  const std::size_t seeds = full_or_small(2, 1);
  for (const std::size_t rows : {full_or_small(400, 150), full_or_small(3000, 600)})
    for (const Case& c : cases) {
      const Fits made = make_case(c, rows, {{"units", c.units}, {"max_iter", full_or_small("6", "2")}}, seeds);
      const auto among_many = on_device(made);
      for (std::size_t seed = 0; seed < seeds; ++seed) {
        const double expected = on_cpu(made, seed), close = 1e-3 * std::abs(expected);
        EXPECT_NEAR(among_many[seed].train_loss, expected, close) << name_of(c) << " " << rows << " " << seed;
        EXPECT_NEAR(grow(made, seed, {1}).losses.back(), expected, close) << name_of(c) << " " << rows << " " << seed;
      }
    }
}

TEST_F(GeneralTest, TheBlocksAreTheNetworkThatTheDeviceHas) {
  for (const Case& c : cases) {
    const Fits made =
        make_case(c, full_or_small(400, 150), {{"feature_fraction", "0.6"}, {"max_iter", full_or_small("6", "2")}}, 1);
    const Grown grown = grow(made, 0, {1, 2});
    const auto expected = losses_of(made, grown.network);
    ASSERT_EQ(expected.size(), grown.losses.size());
    for (std::size_t s = 0; s < expected.size(); ++s)
      EXPECT_NEAR(grown.losses[s], expected[s], 1e-4 * std::abs(expected[s])) << name_of(c) << " " << s;
  }
}

/// A step's vectors are too large for shared memory: of a step of many units, and of one of four, whose own kernel has
/// no room.
TEST_F(GeneralTest, MoreFeaturesThanSharedMemory) {
  const std::size_t seeds = full_or_small(2, 1);
  for (const char* units : {"4", full_or_small("16", "5")}) {
    const Fits made = make(
        "twonorm", 400, "default",
        {{"units_per_step", units}, {"units", units}, {"bins", "255"}, {"max_iter", full_or_small("4", "1")}}, seeds);
    ASSERT_GT(made.rows[0].train.features.cols(), 5000u);
    const auto among_many = on_device(made);
    for (std::size_t seed = 0; seed < seeds; ++seed) {
      const double expected = on_cpu(made, seed), close = 1e-3 * std::abs(expected);
      EXPECT_NEAR(among_many[seed].train_loss, expected, close) << units << " " << seed;
      EXPECT_NEAR(grow(made, seed, {1}).losses.back(), expected, close) << units << " " << seed;
    }
  }
}

/// Fits of several sizes share a launch, and each its own scores: the bits are those of the fit alone.
TEST_F(GeneralTest, TheSameBitsBesideOthers) {
  Fits some = make("waveform", 120, "paper", {{"units", "16"}, {"units_per_step", "8"}}, 3);
  const Fits others = make("waveform", 120, "paper", {{"units", "10"}, {"units_per_step", "5"}}, 2);
  const auto alone = on_device(some), others_alone = on_device(others);
  some.fits.insert(some.fits.end(), others.fits.begin(), others.fits.end());
  const auto together = on_device(some);
  for (std::size_t f = 0; f < together.size(); ++f) {
    const FitScores& expected = f < 3 ? alone[f] : others_alone[f - 3];
    EXPECT_EQ(together[f].train_loss, expected.train_loss);
    for (std::size_t i = 0; i < expected.prefixes[0].flat().size(); ++i)
      ASSERT_EQ(together[f].prefixes[0].flat()[i], expected.prefixes[0].flat()[i]);
  }
}

/// After many steps rounding has led elsewhere, to a place as good.
TEST_F(GeneralTest, WholeFitsEndAtTheCpusLoss) {
  const std::size_t seeds = full_or_small(24, 4), rows = full_or_small(400, 200);
  const char *eights = full_or_small("160", "16"), *fours = full_or_small("60", "8");
  const Fits fits[] = {make("twonorm", rows, "default", {{"units", eights}, {"units_per_step", "8"}}, seeds),
                       make_classes(26, rows, "default", {{"units", fours}}, seeds),
                       make_targets(6, rows, "default", {{"units", fours}}, seeds)};
  for (const Fits& made : fits) {
    expect_the_cpus_losses(made, on_device(made), std::to_string(made.fits[0].start.size()) + " outputs");
  }
}

}  // namespace
}  // namespace accrete::cuda
