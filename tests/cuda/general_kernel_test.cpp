// Fits with more units per step, outputs or features than a fixed kernel supports, compared with the CPU: many by
// general kernels, and one by steps that the GPU evaluates.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "accrete/core/random.hpp"
#include "tests/cuda/cuda_test.hpp"

namespace accrete::cuda::general_kernel_test {
namespace {

struct GeneralCase {
  const char* data;     ///< a generator, or "classes" or "targets"
  std::size_t outputs;  ///< number of classes or targets
  const char *preset, *loss;
  std::uint64_t units;
  double subsample;
};

class CudaGeneralKernel : public CudaTest {
 protected:
  static FitSet make_case(const GeneralCase& c, std::size_t rows, config::Config given, std::size_t seeds) {
    given.units_per_step = c.units;
    given.subsample = c.subsample;
    given.loss = c.loss;
    if (c.data == std::string("classes")) return make_classes(c.outputs, rows, c.preset, given, seeds);
    if (c.data == std::string("targets")) return make_targets(c.outputs, rows, c.preset, given, seeds);
    return make(c.data, rows, c.preset, given, seeds);
  }

  static std::string name_of(const GeneralCase& c) {
    return c.data + (" of " + std::to_string(c.outputs)) + ", " + c.preset + ", " + c.loss + ", " +
           std::to_string(c.units) + " units";
  }
};

// Every objective with one output and many, and with units that are a multiple of four and that are not.
const GeneralCase cases[] = {
    {"twonorm", 0, "paper", "logistic", 8, 1},     {"twonorm", 0, "default", "logistic", 16, 1},
    {"friedman1", 0, "paper", "squared", 5, 0.5},  {"friedman1", 0, "default", "squared", 8, 1},
    {"friedman1", 0, "default", "huber", 6, 0.75}, {"friedman1", 0, "default", "poisson", 7, 1},
    {"waveform", 0, "paper", "softmax", 8, 1},     {"poker", 0, "default", "softmax", 9, 1},
    {"classes", 26, "paper", "softmax", 1, 1},     {"classes", 26, "default", "softmax", 4, 1},
    {"classes", 26, "paper", "softmax", 8, 0.75},  {"targets", 6, "paper", "squared", 3, 1},
    {"targets", 6, "default", "squared", 8, 1},    {"targets", 10, "default", "quantile", 2, 0.5}};

/// One block of threads, and several.
TEST_F(CudaGeneralKernel, TakesTheFirstStepOfTheCpu) {
  const std::size_t seeds = full_or_small(2, 1);
  for (const std::size_t rows : {full_or_small(400, 150), full_or_small(3000, 600)})
    for (const GeneralCase& c : cases) {
      const FitSet set = make_case(c, rows, {.units = c.units, .max_iter = full_or_small(6, 2)}, seeds);
      const auto many = fit_on_device(set);
      for (std::size_t seed = 0; seed < seeds; ++seed) {
        const double expected = cpu_loss(set, seed), close = 1e-3 * std::abs(expected);
        EXPECT_NEAR(many[seed].train_loss, expected, close) << name_of(c) << " " << rows << " " << seed;
        EXPECT_NEAR(losses(set, seed, device_.get()).back(), expected, close)
            << name_of(c) << " " << rows << " " << seed;
      }
    }
}

/// Four units have a fixed kernel, which does not fit.
TEST_F(CudaGeneralKernel, HandlesVectorsLargerThanSharedMemory) {
  const std::size_t seeds = full_or_small(2, 1);
  for (const std::uint64_t units : {4, full_or_small(16, 5)}) {
    data::Table table = data::generator_named("twonorm").make(400, 5);
    for (std::size_t c = 0; c < 20; ++c) {
      data::Column copy = table.columns[c];
      copy.name += " again";
      table.columns.insert(table.columns.begin(), std::move(copy));
    }
    const FitSet set =
        make(std::move(table), {}, "default",
             {.units = units, .units_per_step = units, .bins = 255, .max_iter = full_or_small(4, 1)}, seeds);
    ASSERT_GT(set.rows[0].train.features.cols(), 5000u);
    const auto many = fit_on_device(set);
    for (std::size_t seed = 0; seed < seeds; ++seed) {
      const double expected = cpu_loss(set, seed), close = 1e-3 * std::abs(expected);
      EXPECT_NEAR(many[seed].train_loss, expected, close) << units << " " << seed;
      EXPECT_NEAR(losses(set, seed, device_.get()).back(), expected, close) << units << " " << seed;
    }
  }
}

/// A step draws columns, which have different numbers of features. Four units have a fixed kernel.
TEST_F(CudaGeneralKernel, DrawsTheColumnsOfTheCpu) {
  const std::size_t rows = 600, seeds = full_or_small(6, 2);
  data::Table table = data::generator_named("friedman1").make(rows, 5);
  core::Rng rng(1, 0, core::Purpose::generator);
  for (const std::size_t levels : {3, 25, 120}) {
    data::Column column{.name = std::to_string(levels) + " levels", .kind = data::Column::Kind::text};
    for (std::size_t l = 0; l < levels; ++l) column.levels.push_back("level " + std::to_string(l));
    for (std::size_t r = 0; r < rows; ++r) column.codes.push_back(static_cast<std::int32_t>(rng.below(levels)));
    table.columns.insert(table.columns.begin(), std::move(column));
  }
  for (const std::uint64_t units : {4, 9}) {
    const config::Config config{
        .units = units, .units_per_step = units, .feature_fraction = 0.4, .bins = 32, .max_iter = 3};
    const FitSet set = make(table, {}, "default", config, seeds);
    ASSERT_TRUE(set.rows[0].train.features.has_wide_columns());
    const auto many = fit_on_device(set);
    for (std::size_t seed = 0; seed < seeds; ++seed) {
      const double expected = cpu_loss(set, seed), close = 1e-3 * std::abs(expected);
      EXPECT_NEAR(many[seed].train_loss, expected, close) << units << " " << seed;
      EXPECT_NEAR(losses(set, seed, device_.get()).back(), expected, close) << units << " " << seed;
    }
  }
}

TEST_F(CudaGeneralKernel, HasTheSameBitsBesideOtherFits) {
  FitSet some = make("waveform", 120, "paper", {.units = 16, .units_per_step = 8}, 3);
  const FitSet others = make("waveform", 120, "paper", {.units = 10, .units_per_step = 5}, 2);
  const auto alone = fit_on_device(some), others_alone = fit_on_device(others);
  some.fits.insert(some.fits.end(), others.fits.begin(), others.fits.end());
  const auto together = fit_on_device(some);
  for (std::size_t f = 0; f < together.size(); ++f) {
    const FitScores& expected = f < 3 ? alone[f] : others_alone[f - 3];
    EXPECT_EQ(together[f].train_loss, expected.train_loss);
    for (std::size_t i = 0; i < expected.prefixes[0].flat().size(); ++i)
      ASSERT_EQ(together[f].prefixes[0].flat()[i], expected.prefixes[0].flat()[i]);
  }
}

TEST_F(CudaGeneralKernel, EndsAtTheLossOfTheCpu) {
  const std::size_t seeds = full_or_small(24, 4), rows = full_or_small(400, 200);
  const std::uint64_t eights = full_or_small(160, 16), fours = full_or_small(60, 8);
  const FitSet sets[] = {make("twonorm", rows, "default", {.units = eights, .units_per_step = 8}, seeds),
                         make_classes(26, rows, "default", {.units = fours}, seeds),
                         make_targets(6, rows, "default", {.units = fours}, seeds)};
  for (const FitSet& set : sets) {
    expect_cpu_losses(set, fit_on_device(set), std::to_string(set.fits[0].start.size()) + " outputs");
  }
}

}  // namespace
}  // namespace accrete::cuda::general_kernel_test
