#include "accrete/solver/bounded_lbfgs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/solver/problems.hpp"

namespace accrete::solver::bounded_lbfgs_test {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

struct Box {
  std::vector<double> lower, upper;

  static Box unbounded(std::size_t n) { return {std::vector<double>(n, -infinite), std::vector<double>(n, infinite)}; }
};

/// Checks on the way that no point leaves the box.
SolverResult minimise_in(const Box& box, const Function& f, const std::vector<double>& start,
                         const SolverOptions& options) {
  const std::size_t n = start.size(), size = BoundedLbfgs::workspace_size(n, options);
  std::vector<double> workspace(size, 1234.5), gradient(n);
  BoundedLbfgs solver(options, start, {box.lower, box.upper}, workspace);
  std::size_t evaluations = 0;
  double value;
  do {
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_GE(solver.point()[i], box.lower[i]);
      EXPECT_LE(solver.point()[i], box.upper[i]);
    }
    value = f(solver.point(), gradient);
    ++evaluations;
  } while (solver.tell(value, gradient) && evaluations < 100'000);
  return {.best = {solver.best().begin(), solver.best().end()},
          .value = solver.value(),
          .reason = solver.reason(),
          .iterations = solver.iterations(),
          .evaluations = evaluations,
          .inside = true};
}

/// Largest step that a gradient step of length 1 takes within the box: 0 at a minimum.
double violation(const Box& box, const Function& f, const std::vector<double>& x) {
  std::vector<double> g(x.size());
  f(x, g);
  double largest = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i)
    largest = std::max(largest, std::abs(std::clamp(x[i] - g[i], box.lower[i], box.upper[i]) - x[i]));
  return largest;
}

TEST(BoundedLbfgs, FindsTheNearestCornerOfASeparableQuadratic) {
  // The minimum without bounds is (0, 1, ..., 29); each variable stops at its bound.
  for (double condition : {1.0, 1e4}) {
    Box box = Box::unbounded(30);
    for (std::size_t i = 0; i < 30; ++i) {
      if (i % 3 == 0) box.upper[i] = static_cast<double>(i) - 2.0;
      if (i % 3 == 1) box.lower[i] = static_cast<double>(i) + 5.0;
      if (i == 7) box.lower[i] = box.upper[i] = -1.0;
    }
    const auto result = minimise_in(box, quadratic(30, condition), std::vector<double>(30, 50.0), long_run<Lbfgs<>>());
    for (std::size_t i = 0; i < 30; ++i)
      EXPECT_NEAR(result.best[i], std::clamp(static_cast<double>(i), box.lower[i], box.upper[i]), 3e-4) << i;
    EXPECT_LT(result.evaluations, 1'000u);
  }
}

/// Tells values that are too high until the solver gives up shortening a step. Returns the number of trials.
std::size_t fail_search(BoundedLbfgs& solver) {
  const std::vector<double> steep(2, 1e3);
  std::size_t trials = 1;
  const auto distance = [&] {
    return std::hypot(solver.point()[0] - solver.best()[0], solver.point()[1] - solver.best()[1]);
  };
  for (double before = distance(); solver.tell(1e6, steep) && distance() < before; ++trials) before = distance();
  return trials;
}

TEST(BoundedLbfgs, RestartsAlongTheGradientAfterAFailedSearch) {
  for (const bool noisy : {false, true}) {
    const Box box = Box::unbounded(2);
    SolverOptions options;
    options.tolerance = -1.0;
    options.noise = noisy ? 1.0 : 1e-12;
    std::vector<double> workspace(BoundedLbfgs::workspace_size(2, options));
    BoundedLbfgs solver(options, std::vector<double>{0.0, 0.0}, {box.lower, box.upper}, workspace);
    ASSERT_TRUE(solver.tell(0.0, std::vector<double>{-1.0, 0.0}));
    ASSERT_TRUE(solver.tell(-1.0, std::vector<double>{-0.5, -0.25}));
    ASSERT_EQ(solver.iterations(), 1u);
    const std::vector<double> best(solver.best().begin(), solver.best().end());
    EXPECT_EQ(fail_search(solver), 31u);
    if (noisy) {
      EXPECT_EQ(solver.reason(), Reason::converged)
          << "the decrease is within rounding noise, so the solver has converged";
      continue;
    }
    const double x = solver.point()[0] - best[0], y = solver.point()[1] - best[1];
    EXPECT_GT(x, 0.0);
    EXPECT_NEAR(y / x, 0.5, 1e-9) << "not along the gradient";
    EXPECT_EQ(fail_search(solver), 31u);
    EXPECT_EQ(solver.reason(), Reason::no_progress);
    EXPECT_EQ(std::vector<double>(solver.best().begin(), solver.best().end()), best);
  }
}

TEST(BoundedLbfgs, ConvergesIfTheExpectedDecreaseIsNoise) {
  // The decrease that the direction predicts is below 1: 100 times the noise of a value of -100 is 1, or 0.01.
  for (const bool noisy : {true, false}) {
    const Box box = Box::unbounded(2);
    SolverOptions options;
    options.tolerance = -1.0;
    options.noise = noisy ? 1e-4 : 1e-6;
    std::vector<double> workspace(BoundedLbfgs::workspace_size(2, options));
    BoundedLbfgs solver(options, std::vector<double>{0.0, 0.0}, {box.lower, box.upper}, workspace);
    ASSERT_TRUE(solver.tell(0.0, std::vector<double>{-1.0, 0.0}));
    ASSERT_TRUE(solver.tell(-100.0, std::vector<double>{-0.5, -0.25}));
    fail_search(solver);
    if (!noisy) fail_search(solver);  // along the gradient
    EXPECT_EQ(solver.reason(), noisy ? Reason::converged : Reason::no_progress);
  }
}

TEST(BoundedLbfgs, RestartsAlongTheGradientIfItsDirectionIsNotANumber) {
  const Box box = Box::unbounded(2);
  SolverOptions options;
  options.tolerance = -1.0;
  std::vector<double> workspace(BoundedLbfgs::workspace_size(2, options));
  BoundedLbfgs solver(options, std::vector<double>{0.0, 0.0}, {box.lower, box.upper}, workspace);
  ASSERT_TRUE(solver.tell(0.0, std::vector<double>{1.0, 3e-150}));
  // s . y is 1e-310, whose inverse overflows.
  ASSERT_TRUE(solver.tell(-1.0, std::vector<double>{1.0, 3e-150 - 1e-160}));
  EXPECT_EQ(solver.iterations(), 1u);
  EXPECT_NEAR(solver.point()[0] - solver.best()[0], -0.3, 1e-12) << "the length of a first step";
}

TEST(BoundedLbfgs, SolvesNonNegativeLeastSquaresToItsOptimalityConditions) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    constexpr std::size_t rows = 60, n = 25;
    core::Rng rng(seed, 0, core::Purpose::generator);
    std::vector<double> a(rows * n), b(rows);
    for (double& x : a) x = rng.normal();
    for (double& x : b) x = rng.normal();
    const Function f = [&](std::span<const double> x, std::span<double> g) {
      double value = 0.0;
      std::fill(g.begin(), g.end(), 0.0);
      for (std::size_t r = 0; r < rows; ++r) {
        double e = -b[r];
        for (std::size_t i = 0; i < n; ++i) e += a[r * n + i] * x[i];
        value += 0.5 * e * e;
        for (std::size_t i = 0; i < n; ++i) g[i] += e * a[r * n + i];
      }
      return value;
    };
    const Box box{std::vector<double>(n, 0.0), std::vector<double>(n, infinite)};
    const auto result = minimise_in(box, f, std::vector<double>(n, 1.0), long_run<Lbfgs<>>());
    EXPECT_LT(violation(box, f, result.best), 1e-5) << seed;
    EXPECT_GT(std::ranges::count(result.best, 0.0), 3) << "bounds are reached exactly";
    EXPECT_LT(result.evaluations, 400u);
  }
}

TEST(BoundedLbfgs, MinimisesRosenbrockAtABound) {
  // With x <= 0.5 the minimum is (0.5, 0.25); with y <= 0.25 as well it stays.
  for (double top : {infinite, 0.25, 1.0}) {
    const Box box{{-infinite, -infinite}, {0.5, top}};
    const auto result = minimise_in(box, rosenbrock, {-1.2, 1.0}, long_run<Lbfgs<>>());
    EXPECT_NEAR(result.best[0], 0.5, 1e-5);
    EXPECT_NEAR(result.best[1], 0.25, 1e-5);
  }
}

TEST(BoundedLbfgs, EqualsLbfgsWhereNoBoundIsActive) {
  const Function f = logistic_regression(300, 10);
  const std::vector<double> start(10, 0.5);
  Box wide = Box::unbounded(10);
  wide.lower.assign(10, -100.0);
  const auto free = minimise<Lbfgs<>>(f, start, long_run<Lbfgs<>>());
  for (const Box& box : {Box::unbounded(10), wide}) {
    const auto bounded = minimise_in(box, f, start, long_run<Lbfgs<>>());
    EXPECT_NEAR(bounded.value, free.value, 1e-10);
    for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(bounded.best[i], free.best[i], 1e-4);
    EXPECT_LT(bounded.evaluations, 3 * free.evaluations);
  }
}

TEST(BoundedLbfgs, StartsWithinTheBoundsAndKeepsConstants) {
  Box box = Box::unbounded(10);
  box.lower[3] = box.upper[3] = 0.0;
  box.upper[4] = -1.0;
  const Function f = logistic_regression(200, 10);
  const auto result = minimise_in(box, f, std::vector<double>(10, 2.0), long_run<Lbfgs<>>());
  EXPECT_EQ(result.best[3], 0.0);
  EXPECT_EQ(result.best[4], -1.0);
  EXPECT_LT(violation(box, f, result.best), 1e-5);
}

TEST(BoundedLbfgs, StopsAtItsLimits) {
  const Function f = logistic_regression(300, 10);
  const Box box = Box::unbounded(10);
  SolverOptions options = long_run<Lbfgs<>>();
  options.max_iterations = 3;
  EXPECT_EQ(minimise_in(box, f, std::vector<double>(10, 0.5), options).reason, Reason::iterations);
  options.max_iterations = 1000;
  options.tolerance = 1e-3;
  EXPECT_EQ(minimise_in(box, f, std::vector<double>(10, 0.5), options).reason, Reason::converged);
  options.tolerance = 0.0;
  options.gradient_tolerance = 1e-3;
  const auto flat = minimise_in(box, f, std::vector<double>(10, 0.5), options);
  EXPECT_EQ(flat.reason, Reason::flat);
  EXPECT_LE(violation(box, f, flat.best), 1e-3);
}

TEST(BoundedLbfgs, FindsAMinimumNextToAnUndefinedRegion) {
  const Box box{{-infinite, 0.25}, {infinite, infinite}};
  const auto result =
      minimise_in(box, walled(std::numeric_limits<double>::quiet_NaN()), {-50.0, 1.0}, long_run<Lbfgs<>>());
  EXPECT_NEAR(result.best[0], 1.0, 1e-6);
  EXPECT_EQ(result.best[1], 0.25);
}

}  // namespace
}  // namespace accrete::solver::bounded_lbfgs_test
