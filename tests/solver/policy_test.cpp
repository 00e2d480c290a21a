// L-BFGS with a vector policy that stores its pairs as floats without padding, as the CUDA policy does.

#include <gtest/gtest.h>

#include "tests/solver/problems.hpp"

namespace accrete::solver::policy_test {
namespace {

struct FloatPairs {
  static constexpr std::size_t pad_multiple = 1;
  using PairValue = float;

  template <class A, class B>
  static double dot(const A* a, const B* b, std::size_t n) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return sum;
  }
  template <class Z>
  static double axpy_dot(double a, const float* x, double* y, const Z* z, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) y[i] += a * static_cast<double>(x[i]);
    return dot(y, z, n);
  }
  template <class Z>
  static double add(const double* x, double a, const double* y, Z* z, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) z[i] = static_cast<Z>(x[i] + a * y[i]);
    return dot(z, z, n);
  }
  static void scale(double a, double* x, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) x[i] *= a;
  }
  static void copy(const double* x, double* y, std::size_t n) { std::copy_n(x, n, y); }
  static void clear(double* x, std::size_t n) { std::fill_n(x, n, 0.0); }
  static void set(double* at, double value) { *at = value; }
  static double* in_fast_memory(double* at) { return at; }
};

using FloatLbfgs = Lbfgs<FloatPairs>;

TEST(LbfgsPolicy, FindsTheSameMinimaWithFloatPairs) {
  SolverOptions options;
  options.max_iterations = 2'000;
  options.tolerance = 0.0;
  for (const std::size_t n : {2, 3, 10, 31}) {
    std::vector<double> start(n, 1.0);
    for (std::size_t i = 0; i < n; i += 2) start[i] = -1.2;
    const auto bowl = minimise<FloatLbfgs>(quadratic(n, 1e3), start, options);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(bowl.best[i], static_cast<double>(i), 1e-5) << n;
    EXPECT_TRUE(bowl.inside) << n;
    if (n % 2 == 1) continue;
    const auto valley = minimise<FloatLbfgs>(rosenbrock, start, options);
    for (const double x : valley.best) EXPECT_NEAR(x, 1.0, 1e-5) << n;
    EXPECT_LT(valley.evaluations, 150u * n);
  }
}

/// With few pairs the ring buffer wraps around many times.
TEST(LbfgsPolicy, NeedsAboutAsManyIterationsWithFloatPairs) {
  for (const std::size_t pairs : {1, 3, 10}) {
    SolverOptions options;
    options.max_iterations = 2'000;
    options.pairs = pairs;
    const auto f = quadratic(24, 1e3);
    const std::vector<double> start(24, 9.0);
    const auto doubles = minimise<Lbfgs<>>(f, start, options), floats = minimise<FloatLbfgs>(f, start, options);
    EXPECT_LE(floats.iterations, doubles.iterations + doubles.iterations / 4 + 3) << pairs;
    EXPECT_NEAR(floats.value, doubles.value, 1e-6) << pairs;
  }
}

}  // namespace
}  // namespace accrete::solver::policy_test
