#include "accrete/core/math.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace accrete::math_test {
namespace {

struct MaxError {
  double relative = 0.0;
  double ulp = 0.0;
};

/// The largest error of f against the double g, over every 1009th float in [low, high].
template <class F, class G>
MaxError max_error(float low, float high, F&& f, G&& g) {
  MaxError error;
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += 1009) {
    const float x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (!(x >= low && x <= high)) continue;
    const double truth = g(static_cast<double>(x));
    const double off = std::abs(static_cast<double>(f(x)) - truth);
    const float magnitude = static_cast<float>(std::abs(truth));
    const double unit = static_cast<double>(std::nextafter(magnitude, INFINITY)) - static_cast<double>(magnitude);
    error.ulp = std::max(error.ulp, off / unit);
    if (truth != 0.0) error.relative = std::max(error.relative, off / std::abs(truth));
  }
  return error;
}

constexpr float largest = std::numeric_limits<float>::max();
constexpr float smallest = std::numeric_limits<float>::min();

double true_softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

TEST(Math, FloatExpIsAccurate) {
  const MaxError e = max_error(
      -87.0f, 88.0f, [](float x) { return core::exp(x); }, [](double x) { return std::exp(x); });
  EXPECT_LT(e.relative, 1.0e-7);
  EXPECT_LT(e.ulp, 2.0);
}

TEST(Math, FloatExpClampsItsArgument) {
  EXPECT_EQ(core::exp(-1000.0f), core::exp(-87.0f));
  EXPECT_EQ(core::exp(1000.0f), core::exp(88.0f));
  EXPECT_GE(core::exp(-std::numeric_limits<float>::infinity()), smallest);
  EXPECT_LT(core::exp(std::numeric_limits<float>::infinity()), std::numeric_limits<float>::infinity());
}

TEST(Math, FloatLogIsAccurate) {
  const MaxError e = max_error(
      smallest, largest, [](float x) { return core::log(x); }, [](double x) { return std::log(x); });
  EXPECT_LT(e.relative, 1.0e-7);
  EXPECT_LT(e.ulp, 2.0);
}

TEST(Math, FloatLog1pIsAccurate) {
  const MaxError e = max_error(
      smallest, 1.0f, [](float x) { return core::log1p(x); }, [](double x) { return std::log1p(x); });
  EXPECT_LT(e.relative, 2.0e-7);
  EXPECT_LT(e.ulp, 2.0);
}

TEST(Math, FloatTanhIsAccurate) {
  const MaxError e = max_error(
      -largest, largest, [](float x) { return core::tanh(x); }, [](double x) { return std::tanh(x); });
  EXPECT_LT(e.relative, 3.0e-7);
  EXPECT_LT(e.ulp, 4.0);
}

TEST(Math, FloatSigmoidIsAccurate) {
  const MaxError e = max_error(
      -87.0f, largest, [](float x) { return core::sigmoid(x); }, [](double x) { return 1.0 / (1.0 + std::exp(-x)); });
  EXPECT_LT(e.relative, 2.0e-7);
  EXPECT_LT(e.ulp, 4.0);
}

TEST(Math, FloatSoftplusIsAccurate) {
  const MaxError e = max_error(
      -87.0f, largest, [](float x) { return core::softplus(x); }, true_softplus);
  EXPECT_LT(e.relative, 3.0e-7);
  EXPECT_LT(e.ulp, 4.0);
}

TEST(Math, SaturatesForLargeArguments) {
  EXPECT_NEAR(core::sigmoid(-500.0f), 0.0, 1e-37);
  EXPECT_EQ(core::sigmoid(500.0f), 1.0f);
  EXPECT_NEAR(core::softplus(-500.0f), 0.0, 1e-37);
  EXPECT_EQ(core::softplus(500.0f), 500.0f);
  EXPECT_EQ(core::softplus(1e6), 1e6);
  EXPECT_EQ(core::sigmoid(-1e6), 0.0);
}

TEST(Math, DoubleSoftplusIsAccurate) {
  for (double x = -40.0; x < 40.0; x += 0.01) {
    const double truth = true_softplus(x);
    EXPECT_NEAR(core::softplus(x), truth, 1e-15 * truth) << x;
  }
}

TEST(Math, PropagatesNan) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(core::exp(nan)));
  EXPECT_TRUE(std::isnan(core::tanh(nan)));
  EXPECT_TRUE(std::isnan(core::sigmoid(nan)));
  EXPECT_TRUE(std::isnan(core::softplus(nan)));
  EXPECT_TRUE(std::isnan(core::softplus(static_cast<double>(nan))));
}

}  // namespace
}  // namespace accrete::math_test
