// Tests of L-BFGS beyond the contract of all solvers, and of the adaptive rate of SGD.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/solver/problems.hpp"

namespace accrete::solver::lbfgs_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Lbfgs, StopsAtTheGradientTolerance) {
  const Function f = logistic_regression(300, 10);
  for (double tolerance : {1e-2, 1e-4}) {
    SolverOptions options = long_run<Lbfgs<>>();
    options.gradient_tolerance = tolerance;
    std::vector<double> gradient(10);
    const auto outcome = minimise<Lbfgs<>>(f, std::vector<double>(10, 0.5), options);
    EXPECT_EQ(outcome.reason, Reason::flat);
    f(outcome.best, gradient);
    EXPECT_LE(largest(gradient), tolerance);
    options.max_iterations = outcome.iterations - 1;
    f(minimise<Lbfgs<>>(f, std::vector<double>(10, 0.5), options).best, gradient);
    EXPECT_GT(largest(gradient), tolerance) << "one iteration earlier, the gradient must still exceed the tolerance";
  }
}

TEST(Lbfgs, MinimisesAQuadraticOfConditionTenThousand) {
  SolverOptions options = long_run<Lbfgs<>>();
  const auto outcome = minimise<Lbfgs<>>(quadratic(30, 1e4), std::vector<double>(30, 50.0), options);
  for (std::size_t i = 0; i < 30; ++i) EXPECT_NEAR(outcome.best[i], static_cast<double>(i), 1e-5);
  EXPECT_LT(outcome.iterations, 1'000u);
}

TEST(Lbfgs, ConvergesAsFastWithPairsOfFloats) {
  using FloatPairs = Lbfgs<FloatPairVectors>;
  const auto wanted = minimise<Lbfgs<>>(quadratic(30, 1e4), std::vector<double>(30, 50.0), long_run<Lbfgs<>>());
  const auto found = minimise<FloatPairs>(quadratic(30, 1e4), std::vector<double>(30, 50.0), long_run<FloatPairs>());
  EXPECT_TRUE(found.inside);
  for (std::size_t i = 0; i < 30; ++i) EXPECT_NEAR(found.best[i], static_cast<double>(i), 1e-5);
  EXPECT_LT(found.iterations, 1.2 * static_cast<double>(wanted.iterations));
}

/// Twenty vectors of s and y, each padded to a multiple of eight.
TEST(Lbfgs, TakesNoMoreParametersThanItsIndicesCanAddress) {
  const std::size_t max = Lbfgs<>::max_parameters({.pairs = 10});
  EXPECT_EQ(max, 214'748'360u);
  EXPECT_LT(2 * 10 * max, std::size_t{1} << 32);
  EXPECT_GE(2 * 10 * (max + 8), std::size_t{1} << 32);
  EXPECT_LT(5 * Lbfgs<>::max_parameters({.pairs = 1}), std::size_t{1} << 32) << "points, gradients and direction";
  EXPECT_EQ(max_parameters<Lbfgs<>>({.pairs = 10}), max);
  EXPECT_EQ(max_parameters<Adam>({}), std::numeric_limits<std::size_t>::max());
}

TEST(Lbfgs, MinimisesRosenbrock) {
  for (std::size_t n : {2, 10}) {
    std::vector<double> start(n, 1.0);
    for (std::size_t i = 0; i < n; i += 2) start[i] = -1.2;
    const auto outcome = minimise<Lbfgs<>>(rosenbrock, start, long_run<Lbfgs<>>());
    for (double x : outcome.best) EXPECT_NEAR(x, 1.0, 1e-5) << n;
    EXPECT_LT(outcome.evaluations, 150u * n);
  }
}

TEST(Lbfgs, FindsAMinimumNextToAnUndefinedRegion) {
  const auto outcome = minimise<Lbfgs<>>(walled(nan), {-50.0, 1.0}, long_run<Lbfgs<>>());
  EXPECT_NEAR(outcome.best[0], 1.0, 1e-6);
  EXPECT_NEAR(outcome.best[1], 0.0, 1e-6);
}

TEST(Lbfgs, StopsAtTheFirstDecreaseBelowTheTolerance) {
  const Function f = logistic_regression(300, 10);
  for (double tolerance : {1e-2, 1e-4, 1e-7}) {
    SolverOptions options;
    options.tolerance = tolerance;
    double before = 0.0, value = 0.0;  // after each number of iterations, from separate runs with that limit
    std::vector<double> gradient(10);
    const auto outcome = minimise<Lbfgs<>>(f, std::vector<double>(10, 0.0), options);
    ASSERT_EQ(outcome.reason, Reason::converged);
    for (std::size_t limit = 1; limit <= outcome.iterations; ++limit) {
      SolverOptions shorter = options;
      shorter.max_iterations = limit, shorter.tolerance = -1.0;
      before = limit == 1 ? f(std::vector<double>(10, 0.0), gradient) : value;
      value = minimise<Lbfgs<>>(f, std::vector<double>(10, 0.0), shorter).value;
      const double gain = (before - value) / std::max(std::abs(before), std::abs(value));
      if (limit < outcome.iterations)
        EXPECT_GT(gain, tolerance) << "iteration " << limit;
      else
        EXPECT_LE(gain, tolerance);
    }
  }
}

TEST(Lbfgs, StopsAfterThreeDecreasesBelowTheGainTolerance) {
  const Function f = logistic_regression(300, 10);
  const std::vector<double> start(10, 0.0);
  for (double share : {0.1, 0.01, 1e-4}) {
    SolverOptions options;
    options.tolerance = -1.0, options.gain_tolerance = share;
    const auto outcome = minimise<Lbfgs<>>(f, start, options);
    ASSERT_EQ(outcome.reason, Reason::converged);
    std::vector<double> gradient(10), values{f(start, gradient)};
    std::size_t slow = 0;
    for (std::size_t limit = 1; limit <= outcome.iterations; ++limit) {
      SolverOptions shorter;
      shorter.max_iterations = limit, shorter.tolerance = -1.0;
      values.push_back(minimise<Lbfgs<>>(f, start, shorter).value);
      const double gain = values[limit - 1] - values[limit];
      slow = gain <= share * (values[0] - values[limit]) ? slow + 1 : 0;
      EXPECT_EQ(slow == 3, limit == outcome.iterations) << share << ", iteration " << limit;
    }
  }
}

TEST(Lbfgs, GainToleranceDoesNotDependOnTheSizeOfTheValue) {
  const Function f = logistic_regression(300, 10);
  const Function lifted = [&](std::span<const double> x, std::span<double> g) { return 1000.0 + f(x, g); };
  SolverOptions options;
  options.tolerance = -1.0, options.gain_tolerance = 0.01;
  const std::vector<double> start(10, 0.0);
  EXPECT_EQ(minimise<Lbfgs<>>(lifted, start, options).iterations, minimise<Lbfgs<>>(f, start, options).iterations);
}

TEST(Lbfgs, NeverEndsAboveItsStartAndReturnsTheValueOfItsPoint) {
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    core::Rng rng(trial, 0, core::Purpose::generator);
    std::vector<double> start(4), gradient(4);
    for (double& x : start) x = 5 * rng.normal();
    // A non-convex function whose value is rounded to float, as in a fit.
    const Function rough = [](std::span<const double> x, std::span<double> g) {
      double value = 0.0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        value += 0.1 * x[i] * x[i] + std::sin(3 * x[i]);
        g[i] = 0.2 * x[i] + 3 * std::cos(3 * x[i]);
      }
      return static_cast<double>(static_cast<float>(value));
    };
    SolverOptions options;
    options.max_iterations = 1 + trial % 20;
    const double before = rough(start, gradient);
    const auto outcome = minimise<Lbfgs<>>(rough, start, options);
    EXPECT_LE(outcome.value, before + 1e-9 * std::abs(before));
    EXPECT_EQ(outcome.value, rough(outcome.best, gradient)) << "value and point come from different trials";
  }
}

/// Tells values that no search accepts, until it has given up. Returns the number of trials.
std::size_t fail_search(Lbfgs<>& solver) {
  const std::vector<double> steep(2, 1e3);
  std::size_t trials = 1;
  // A search that has given up begins the next one with a longer step.
  const auto distance = [&] {
    return std::hypot(solver.point()[0] - solver.best()[0], solver.point()[1] - solver.best()[1]);
  };
  for (double before = distance(); solver.tell(1e6, steep) && distance() < before; ++trials) before = distance();
  return trials;
}

TEST(Lbfgs, RestartsAlongTheGradientAfterAFailedSearch) {
  SolverOptions options;
  options.tolerance = -1.0;
  std::vector<double> workspace(Lbfgs<>::workspace_size(2, options));
  Lbfgs<> solver(options, std::vector<double>{0.0, 0.0}, workspace);
  ASSERT_TRUE(solver.tell(0.0, std::vector<double>{-1.0, 0.0}));
  ASSERT_TRUE(solver.tell(-1.0, std::vector<double>{-0.5, -0.25}));
  ASSERT_EQ(solver.iterations(), 1u);
  const std::vector<double> best(solver.best().begin(), solver.best().end());
  EXPECT_GT(fail_search(solver), 3u);
  // The curvature is forgotten: the next trial is 0.3 along the gradient.
  const double length = 0.3 / std::hypot(0.5, 0.25);
  EXPECT_NEAR(solver.point()[0] - best[0], 0.5 * length, 1e-9);
  EXPECT_NEAR(solver.point()[1] - best[1], 0.25 * length, 1e-9);
  EXPECT_GT(fail_search(solver), 3u);
  EXPECT_EQ(solver.reason(), Reason::no_progress);
  EXPECT_EQ(solver.iterations(), 1u);
  EXPECT_EQ(std::vector<double>(solver.best().begin(), solver.best().end()), best);
}

TEST(Lbfgs, ConvergesIfTheExpectedDecreaseIsNoise) {
  // The decrease that the direction predicts is a third of the value: 100 times the noise is more, or less.
  for (const bool noisy : {true, false}) {
    SolverOptions options;
    options.tolerance = -1.0;
    options.noise = noisy ? 1e-2 : 1e-4;
    std::vector<double> workspace(Lbfgs<>::workspace_size(2, options));
    Lbfgs<> solver(options, std::vector<double>{0.0, 0.0}, workspace);
    ASSERT_TRUE(solver.tell(0.0, std::vector<double>{-1.0, 0.0}));
    ASSERT_TRUE(solver.tell(-1.0, std::vector<double>{-0.5, -0.25}));
    fail_search(solver);
    if (noisy) {
      EXPECT_EQ(solver.reason(), Reason::converged);
    } else {
      fail_search(solver);
      EXPECT_EQ(solver.reason(), Reason::no_progress)
          << "it must restart along the gradient and end only when that search fails too";
    }
  }
}

TEST(Lbfgs, DropsTheOverwrittenPairIfANewOneIsRejected) {
  // With one stored pair: the first step has curvature, then a linear slope gives a pair (y = 0) that must be rejected.
  // The next direction is then steepest descent, not a mix of the old curvature and the overwritten pair.
  SolverOptions options;
  options.pairs = 1;
  options.tolerance = -1.0;
  const std::vector<double> start{0.0, 0.0};
  std::vector<double> workspace(Lbfgs<>::workspace_size(2, options));
  Lbfgs<> solver(options, start, workspace);
  ASSERT_TRUE(solver.tell(0.0, std::vector<double>{-1.0, 0.0}));
  ASSERT_TRUE(solver.tell(-1.0, std::vector<double>{-0.5, -0.25}));  // accepted: the slope has halved
  ASSERT_EQ(solver.iterations(), 1u);
  const std::vector<double> slope{-0.5, -0.25};
  const double first = solver.best()[0];
  while (solver.iterations() == 1) {
    const auto x = solver.point();
    ASSERT_TRUE(solver.tell(-1.0 - 0.5 * (x[0] - first) - 0.25 * x[1], slope));
  }
  const auto from = solver.best(), to = solver.point();
  EXPECT_NEAR((to[1] - from[1]) / (to[0] - from[0]), 0.5, 1e-6) << "not along the gradient";
}

TEST(Lbfgs, NeedsFewEvaluationsPerIteration) {
  SolverOptions options;
  options.tolerance = 1e-10;
  const auto outcome = minimise<Lbfgs<>>(logistic_regression(500, 30), std::vector<double>(30, 0.0), options);
  const double per = static_cast<double>(outcome.evaluations) / static_cast<double>(outcome.iterations);
  RecordProperty("evaluations_per_iteration", std::to_string(per));
  std::cout << "  " << outcome.iterations << " iterations, " << per << " evaluations each\n";
  EXPECT_LE(per, 1.3);
  EXPECT_GE(outcome.iterations, 10u);
}

TEST(Sgd, ContinuesWithAnAdaptiveRateWhereAConstantOneStops) {
  // No epoch decreases the value by the tolerance, so that patience alone determines the number of epochs.
  SolverOptions options;
  options.max_iterations = 1000;
  options.tolerance = 1.0;
  options.patience = 3;
  options.rate = 1e-3;
  const Function f = quadratic(4, 1.0);
  const std::vector<double> start(4, 1.0);
  EXPECT_EQ(minimise<Sgd>(f, start, options).iterations, 1u + 4);
  options.adaptive = true;
  const auto outcome = minimise<Sgd>(f, start, options);
  EXPECT_EQ(outcome.iterations, 1u + 4 * 6) << "the rate is divided by 5 five times, until it is below 1e-6";
  EXPECT_EQ(outcome.reason, Reason::converged);
}

}  // namespace
}  // namespace accrete::solver::lbfgs_test
