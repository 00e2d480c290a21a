#include "accrete/data/encoder/fit_bins.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "accrete/core/random.hpp"
#include "accrete/data/encoder/fit_input.hpp"

namespace accrete::data::fit_bins_test {
namespace {

constexpr float missing = std::numeric_limits<float>::quiet_NaN();
using Floats = std::vector<float>;

Input fitted(const Floats& values, std::size_t bins, const std::vector<double>& weights = {}) {
  std::vector<std::size_t> rows;
  for (std::size_t r = 0; r < values.size(); ++r)
    if (weights.empty() || weights[r] > 0.0) rows.push_back(r);
  Input input;
  fit_bins(input, values, {rows, weights}, bins);
  return input;
}

TEST(FitBins, PutsKnotsAtQuantiles) {
  EXPECT_EQ(fitted({1, 2, 3, 4, 5, 6, 7, 8}, 4).knots, (Floats{1, 2, 4, 6, 8}));
  EXPECT_EQ(fitted({8, 3, 1, 2, 7, 5, 6, 4}, 4).knots, (Floats{1, 2, 4, 6, 8}));
  EXPECT_EQ(fitted({8, missing, 3, 1, 2, missing, 7, 5, 6, 4}, 4).knots, (Floats{1, 2, 4, 6, 8}))
      << "missing values are ignored";
  EXPECT_EQ(fitted({1, 2, 3, 4, 5}, 2).knots, (Floats{1, 3, 5}));
  EXPECT_EQ(fitted({1, 2, 3, 4, 5}, 256).knots, (Floats{1, 2, 3, 4, 5})) << "at most one per distinct number";
  EXPECT_EQ(fitted({5, 5, 5, 5, 5, 5, 1, 9}, 4).knots, (Floats{1, 5, 9})) << "without repetition";
  const Floats knots = fitted({-0.0f, -0.0f, 1, 2}, 3).knots;
  EXPECT_EQ(knots, (Floats{0, 1, 2}));
  EXPECT_FALSE(std::signbit(knots[0]));
}

TEST(FitBins, WeightsTheQuantiles) {
  EXPECT_EQ(fitted({10, 20, 30}, 4, {1, 6, 1}).knots, (Floats{10, 20, 30}));
  EXPECT_EQ(fitted({1, 2, 3, 4, 5}, 2, {1, 1, 1, 1, 4}).knots, (Floats{1, 4, 5})) << "half the weight is at 4";
  EXPECT_EQ(fitted({1, 2, 3, 4, 5}, 2, {0, 1, 1, 1, 0}).knots, (Floats{2, 3, 4})) << "a row of weight 0 is ignored";
  EXPECT_EQ(fitted({1, 2, 3, 4}, 3, {1, 1e20, 1, 1}).knots, (Floats{1, 2, 4}))
      << "the maximum is a knot whatever its weight";
}

TEST(FitBins, LearnsMeanAndDeviationOfEachRamp) {
  const Input input = fitted({1, 2, 3, 4, 5, 6, 7, 8}, 4);
  ASSERT_EQ(input.bin_means.size(), 4u);
  EXPECT_DOUBLE_EQ(input.bin_means[0], 7.0 / 8.0);
  EXPECT_DOUBLE_EQ(input.bin_scales[0], std::sqrt(7.0) / 8.0);
  EXPECT_DOUBLE_EQ(input.bin_means[1], 5.5 / 8.0);  // 0 0 1/2 1 1 1 1 1
  EXPECT_DOUBLE_EQ(input.bin_scales[1], std::sqrt(5.25 / 8.0 - 5.5 * 5.5 / 64.0));
  const Input inside = fitted({0, 1, 2, 3, 4}, 2, {1, 2, 1, 3, 1});
  EXPECT_EQ(inside.knots, (Floats{0, 2, 4}));
  EXPECT_DOUBLE_EQ(inside.bin_means[0], 6.0 / 8.0);  // 0 1/2 1 1 1
  EXPECT_DOUBLE_EQ(inside.bin_scales[0], std::sqrt(5.5 / 8.0 - 36.0 / 64.0));
  const Input weighted = fitted({10, 20, 30}, 4, {1, 6, 1});
  EXPECT_DOUBLE_EQ(weighted.bin_means[0], 7.0 / 8.0);
  EXPECT_DOUBLE_EQ(weighted.bin_means[1], 1.0 / 8.0);
  EXPECT_DOUBLE_EQ(weighted.bin_scales[1], std::sqrt(7.0) / 8.0);
}

TEST(FitBins, LeavesColumnsWithTwoDistinctValuesUnbinned) {
  for (const Floats& values : {Floats{}, Floats{missing}, Floats{3, 3, 3}, Floats{0, 1, 1, missing, 0}})
    EXPECT_EQ(fitted(values, 8), Input{}) << values.size();
  EXPECT_EQ(fitted({1, 2, 3}, 1), Input{});
  Floats mostly_one(1000, 1.0f);
  mostly_one.insert(mostly_one.end(), {2, 3});
  EXPECT_EQ(fitted(mostly_one, 8), Input{}) << "all quantiles but the last are 1";
}

TEST(FitBins, SkipsBinsTooNarrowOrTooWideForFloat) {
  EXPECT_EQ(fitted({0, 1e-38f, 1e-31f, 1, 2, 2.5f}, 256).knots, (Floats{0, 1, 2, 2.5f}))
      << "too close to the knot before";
  EXPECT_EQ(fitted({1, 2, 2 + 2e-7f, 3}, 256).knots, (Floats{1, 2, 2 + 2e-7f, 3}))
      << "close, but not too close for float";
  EXPECT_EQ(fitted({-3e38f, 0, 1, 3e38f}, 256), Input{}) << "too wide";
  EXPECT_EQ(fitted({-3.2e38f, -3.1e38f, 1e38f}, 256), Input{}) << "too wide, though the sum of its ends is small";
}

TEST(FitBins, GivesARampWithoutSpreadTheScaleNoSpread) {
  const Input input = fitted({1, 2, 3}, 4, {1e-20, 1, 1});
  EXPECT_EQ(input.bin_scales[0], no_spread);
  EXPECT_DOUBLE_EQ(input.bin_scales[1], 0.5);
}

TEST(FitBins, TreatsRepeatedRowsAsWeights) {
  core::Rng rng(7, 0, core::Purpose::generator);
  for (int trial = 0; trial < 50; ++trial) {
    const std::size_t rows = 3 + rng.below(60), bins = 2 + rng.below(20);
    Floats values, repeated;
    std::vector<double> weights;
    for (std::size_t r = 0; r < rows; ++r) {
      values.push_back(rng.below(10) == 0 ? missing : static_cast<float>(std::round(8.0 * rng.normal())) / 3.0f);
      weights.push_back(static_cast<double>(rng.below(4)));
      repeated.insert(repeated.end(), static_cast<std::size_t>(weights.back()), values.back());
    }
    rng.shuffle(std::span(repeated));
    EXPECT_EQ(fitted(values, bins, weights), fitted(repeated, bins)) << trial;
  }
}

TEST(FitBins, DoesNotDependOnTheOrderOfRows) {
  core::Rng rng(8, 0, core::Purpose::generator);
  Floats values;
  std::vector<double> weights;
  for (std::size_t r = 0; r < 200; ++r) {
    values.push_back(static_cast<float>(rng.below(9)));
    weights.push_back(rng.uniform());
  }
  const Input once = fitted(values, 5, weights);
  std::ranges::reverse(values);
  std::ranges::reverse(weights);
  EXPECT_EQ(fitted(values, 5, weights), once);
}

}  // namespace
}  // namespace accrete::data::fit_bins_test
