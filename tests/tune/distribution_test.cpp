#include "accrete/tune/statistics/distribution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "accrete/core/error.hpp"

namespace accrete::tune::distribution_test {
namespace {

TEST(Distribution, Normal) {
  EXPECT_DOUBLE_EQ(normal_cdf(0.0), 0.5);
  EXPECT_NEAR(normal_cdf(1.959963984540054), 0.975, 1e-15);
  EXPECT_NEAR(normal_cdf(-1.959963984540054), 0.025, 1e-15);
}

TEST(Distribution, ChiSquareHasClosedFormsForOneTwoAndFour) {
  for (const double x : {1e-6, 0.1, 1.0, 2.9, 3.1, 10.0, 50.0}) {
    EXPECT_NEAR(chi_square_sf(x, 1), std::erfc(std::sqrt(x / 2)), 1e-13) << x;
    EXPECT_NEAR(chi_square_sf(x, 2), std::exp(-x / 2), 1e-13) << x;
    EXPECT_NEAR(chi_square_sf(x, 4), std::exp(-x / 2) * (1 + x / 2), 1e-13) << x;
  }
  EXPECT_EQ(chi_square_sf(0, 3), 1.0);
  EXPECT_NEAR(chi_square_sf(67.504806549541, 50), 0.05, 1e-11) << "a table's value";
}

TEST(Distribution, FHasClosedForms) {
  for (const double x : {1e-6, 0.3, 1.0, 4.0, 200.0}) {
    EXPECT_NEAR(f_sf(x, 1, 1), 2 / std::numbers::pi * std::atan(1 / std::sqrt(x)), 1e-13) << x;
    for (const double d : {1.0, 7.0, 39.0, 200.0})
      EXPECT_NEAR(f_sf(x, 2, d), std::pow(1 + 2 * x / d, -d / 2), 1e-12) << x << " " << d;
  }
  EXPECT_EQ(f_sf(0, 3, 4), 1.0);
  EXPECT_EQ(f_sf(INFINITY, 3, 4), 0.0);
  EXPECT_NEAR(f_sf(3.4780, 4, 10), 0.05, 1e-5) << "a table's value";
}

TEST(Distribution, TheRangeOfTwoIsTheirDifference) {
  for (const double x : {0.1, 1.0, 2.77, 6.0})
    EXPECT_NEAR(range_cdf(x, 2), 2 * normal_cdf(x / std::numbers::sqrt2) - 1, 1e-13) << x;
}

TEST(Distribution, TheRangeGrowsWithItsNumber) {
  double before = 1.0;
  for (const std::size_t n : {2, 3, 5, 20, 500}) {
    const double now = range_cdf(3.0, n);
    EXPECT_LT(now, before);
    before = now;
    EXPECT_NEAR(range_cdf(50.0, n), 1.0, 1e-13) << n;
    EXPECT_EQ(range_cdf(0.0, n), 0.0);
  }
}

TEST(Distribution, QuantilesOfTheRangeAreThoseOfTheTables) {
  EXPECT_NEAR(range_quantile(0.05, 3), 3.314, 5e-4);
  EXPECT_NEAR(range_quantile(0.05, 10), 4.474, 5e-4);
  EXPECT_NEAR(range_quantile(0.05, 20), 5.012, 5e-4);
  EXPECT_NEAR(range_quantile(0.01, 10), 5.157, 5e-4);
  EXPECT_NEAR(range_quantile(0.01, 20), 5.645, 5e-4);
  for (const double level : {0.5, 0.05, 1e-6}) EXPECT_NEAR(range_cdf(range_quantile(level, 7), 7), 1 - level, 1e-12);
}

TEST(Distribution, Refusals) {
  EXPECT_THROW(range_quantile(0.05, 1), core::UsageError);
  for (const double level : {0.0, 1.0, -1.0, std::nan("")}) EXPECT_THROW(range_quantile(level, 3), core::UsageError);
}

}  // namespace
}  // namespace accrete::tune::distribution_test
