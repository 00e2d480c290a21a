#include "accrete/solver/vectors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "accrete/core/random.hpp"

namespace accrete::solver::vectors_test {
namespace {

std::vector<double> random_vector(std::size_t n, std::uint64_t seed) {
  core::Rng rng(seed, n, core::Purpose::weights);
  std::vector<double> values(n);
  for (double& v : values) v = rng.uniform(-1.0, 1.0);
  return values;
}

double naive_dot(const std::vector<double>& a, const std::vector<double>& b) {
  long double sum = 0.0L;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<long double>(a[i]) * b[i];
  return static_cast<double>(sum);
}

constexpr double rounding = 1e-13;

TEST(HostVectors, MatchesNaiveLoopsAtEveryLength) {
  for (std::size_t n = HostVectors::pad_multiple; n <= 20 * HostVectors::pad_multiple; n += HostVectors::pad_multiple) {
    SCOPED_TRACE(n);
    const auto a = random_vector(n, 1), b = random_vector(n, 2), c = random_vector(n, 3);
    EXPECT_NEAR(HostVectors::dot(a.data(), b.data(), n), naive_dot(a, b), rounding);

    auto moved = b, wanted = b;
    for (std::size_t i = 0; i < n; ++i) wanted[i] += 0.7 * a[i];
    const double product = HostVectors::axpy_dot(0.7, a.data(), moved.data(), c.data(), n);
    EXPECT_NEAR(product, naive_dot(wanted, c), rounding);
    for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(moved[i], wanted[i], 1e-15);

    std::vector<double> sum(n);
    const double square = HostVectors::add(b.data(), -0.3, a.data(), sum.data(), n);
    for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(sum[i], b[i] - 0.3 * a[i], 1e-15);
    EXPECT_NEAR(square, naive_dot(sum, sum), rounding);
  }
}

std::vector<float> rounded(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

std::vector<double> widened(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

TEST(FloatPairVectors, MatchesNaiveLoopsAtEveryLength) {
  for (std::size_t n = HostVectors::pad_multiple; n <= 20 * HostVectors::pad_multiple; n += HostVectors::pad_multiple) {
    SCOPED_TRACE(n);
    const auto b = random_vector(n, 2), c = random_vector(n, 3);
    const auto s = rounded(random_vector(n, 1)), y = rounded(c);
    const auto wide_s = widened(s), wide_y = widened(y);
    EXPECT_NEAR(FloatPairVectors::dot(b.data(), s.data(), n), naive_dot(b, wide_s), rounding);
    EXPECT_NEAR(FloatPairVectors::dot(s.data(), y.data(), n), naive_dot(wide_s, wide_y), rounding);

    auto wanted = b, moved = b;
    for (std::size_t i = 0; i < n; ++i) wanted[i] += 0.7 * wide_s[i];
    EXPECT_NEAR(FloatPairVectors::axpy_dot(0.7, s.data(), moved.data(), y.data(), n), naive_dot(wanted, wide_y),
                rounding);
    for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(moved[i], wanted[i], 1e-15);
    moved = b;
    EXPECT_NEAR(FloatPairVectors::axpy_dot(0.7, s.data(), moved.data(), c.data(), n), naive_dot(wanted, c), rounding);

    std::vector<float> sum(n);
    const double square = FloatPairVectors::add(b.data(), -0.3, c.data(), sum.data(), n);
    std::vector<double> exact(n);
    for (std::size_t i = 0; i < n; ++i) exact[i] = b[i] - 0.3 * c[i];
    for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(sum[i], exact[i], 1e-7);
    EXPECT_NEAR(square, naive_dot(exact, exact), rounding);
  }
}

}  // namespace
}  // namespace accrete::solver::vectors_test
