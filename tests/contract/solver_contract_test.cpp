// What every solver of the list owes its users, written once; and what is asked of L-BFGS alone.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/solver/problems.hpp"

namespace accrete::solver {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Enough time and a rate that suits problems of unit size.
template <class Solver>
Options patient() {
  Options options;
  options.max_iterations = Solver::stochastic ? 60'000 : 2'000;
  options.tolerance = 0.0;
  options.patience = 2'000;
  options.rate = std::string_view(Solver::name) == "adam" ? 0.02 : 1e-3;
  return options;
}

template <class Solver>
class SolverContract : public testing::Test {};
using Solvers = testing::Types<All::at<0>, All::at<1>, All::at<2>>;
static_assert(All::size == 3, "a new solver belongs in the list above");
TYPED_TEST_SUITE(SolverContract, Solvers);

TYPED_TEST(SolverContract, finds_the_bottom_of_a_bowl) {
  const auto outcome = minimise<TypeParam>(quadratic(8, 50.0), std::vector<double>(8, 20.0), patient<TypeParam>());
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(outcome.best[i], static_cast<double>(i), 1e-4);
  EXPECT_NEAR(outcome.value, 1.0, 1e-8);
}

TYPED_TEST(SolverContract, finds_the_only_minimum_of_a_logistic_regression) {
  const Function f = logistic_regression(200, 6);
  Options options = patient<TypeParam>();
  if (std::string_view(TypeParam::name) == "sgd") options.rate = 0.3;
  if (std::string_view(TypeParam::name) == "adam") options.rate = 0.005;
  options.max_iterations = std::min<std::size_t>(options.max_iterations, 10'000);
  const auto outcome = minimise<TypeParam>(f, std::vector<double>(6, 0.5), options);
  std::vector<double> gradient(6);
  f(outcome.best, gradient);
  EXPECT_LT(largest(gradient), 1e-5) << reason_text(outcome.reason);
}

TYPED_TEST(SolverContract, keeps_to_its_iterations_and_says_so) {
  for (std::size_t most : {1, 2, 7}) {
    Options options = patient<TypeParam>();
    options.max_iterations = most;
    options.batches = TypeParam::stochastic ? 3 : 1;
    const auto outcome = minimise<TypeParam>(quadratic(8, 1e4), std::vector<double>(8, 20.0), options);
    EXPECT_EQ(outcome.iterations, most);
    EXPECT_EQ(outcome.reason, Reason::iterations);
    EXPECT_TRUE(!TypeParam::stochastic || outcome.evaluations == 3 * most);
  }
}

TYPED_TEST(SolverContract, stays_inside_its_workspace) {
  for (std::size_t n : {2, 3, 5, 17}) {
    Options options = patient<TypeParam>();
    options.max_iterations = 40;
    EXPECT_TRUE(minimise<TypeParam>(quadratic(n, 1e3), std::vector<double>(n, 9.0), options).inside) << n;
    options.pairs = 3;
    EXPECT_TRUE(minimise<TypeParam>(quadratic(n, 1e3), std::vector<double>(n, 9.0), options).inside) << n;
  }
}

TYPED_TEST(SolverContract, stays_where_the_gradient_is_zero) {
  const std::vector<double> start{0.0, 1.0, 2.0};
  const auto outcome = minimise<TypeParam>(quadratic(3, 10.0), start, patient<TypeParam>());
  EXPECT_EQ(outcome.best, start);
  EXPECT_NE(outcome.reason, Reason::running);
  EXPECT_TRUE(TypeParam::stochastic || outcome.reason == Reason::flat);
}

TYPED_TEST(SolverContract, a_loose_tolerance_ends_early_and_is_called_converged) {
  Options options = patient<TypeParam>();
  options.tolerance = TypeParam::stochastic ? 1e-3 : 1e-2;
  options.patience = 10;
  const auto outcome = minimise<TypeParam>(logistic_regression(200, 6), std::vector<double>(6, 0.5), options);
  EXPECT_EQ(outcome.reason, Reason::converged);
  EXPECT_LT(outcome.iterations, 2'000u);
}

/// A bowl with its minimum at 1 and undefined where x >= 3 (a wall near the minimum).
Function walled(double outside) {
  return [=](std::span<const double> x, std::span<double> g) {
    if (x[0] >= 3) return g[0] = g[1] = outside;
    g[0] = x[0] - 1, g[1] = 5 * x[1];
    return 0.5 * (g[0] * g[0] + 5 * x[1] * x[1]);
  };
}

TYPED_TEST(SolverContract, answers_with_numbers_when_the_function_has_none) {
  for (double outside : {nan, infinity, -infinity}) {
    Options options = patient<TypeParam>();
    options.max_iterations = 500;
    options.rate = 1.9;  // too long a step for SGD and Adam: they will look outside
    const auto outcome = minimise<TypeParam>(walled(outside), {-50.0, 1.0}, options);
    for (double x : outcome.best) EXPECT_TRUE(std::isfinite(x)) << outside;
    EXPECT_NE(outcome.reason, Reason::running);
  }
  const auto lost = minimise<TypeParam>(walled(nan), {5.0, 1.0}, patient<TypeParam>());
  EXPECT_EQ(lost.best, (std::vector<double>{5.0, 1.0})) << "nothing is known here, so nothing is moved";
  EXPECT_NE(lost.reason, Reason::running);
}

TEST(Lbfgs, stops_where_no_derivative_exceeds_the_tolerance) {
  const Function f = logistic_regression(300, 10);
  for (double tolerance : {1e-2, 1e-4}) {
    Options options = patient<Lbfgs<>>();
    options.gradient_tolerance = tolerance;
    std::vector<double> gradient(10);
    const auto outcome = minimise<Lbfgs<>>(f, std::vector<double>(10, 0.5), options);
    EXPECT_EQ(outcome.reason, Reason::flat);
    f(outcome.best, gradient);
    EXPECT_LE(largest(gradient), tolerance);
    options.max_iterations = outcome.iterations - 1;
    f(minimise<Lbfgs<>>(f, std::vector<double>(10, 0.5), options).best, gradient);
    EXPECT_GT(largest(gradient), tolerance) << "one iteration earlier";
  }
}

TEST(Sgd, an_adaptive_rate_goes_on_where_a_constant_one_ends) {
  // A bowl so flat that no epoch gains the tolerance: only patience counts epochs.
  Options options;
  options.max_iterations = 1000;
  options.tolerance = 1.0;
  options.patience = 3;
  options.rate = 1e-3;
  const Function f = quadratic(4, 1.0);
  const std::vector<double> start(4, 1.0);
  EXPECT_EQ(minimise<Sgd>(f, start, options).iterations, 1u + 4);
  options.adaptive = true;
  const auto outcome = minimise<Sgd>(f, start, options);
  EXPECT_EQ(outcome.iterations, 1u + 4 * 6) << "a fifth of the rate five times over, until it is under 1e-6";
  EXPECT_EQ(outcome.reason, Reason::converged);
}

TEST(Lbfgs, crosses_a_bowl_of_condition_ten_thousand) {
  Options options = patient<Lbfgs<>>();
  const auto outcome = minimise<Lbfgs<>>(quadratic(30, 1e4), std::vector<double>(30, 50.0), options);
  for (std::size_t i = 0; i < 30; ++i) EXPECT_NEAR(outcome.best[i], static_cast<double>(i), 1e-5);
  EXPECT_LT(outcome.iterations, 1'000u);
}

TEST(Lbfgs, follows_the_valley_of_rosenbrock) {
  for (std::size_t n : {2, 10}) {
    std::vector<double> start(n, 1.0);
    for (std::size_t i = 0; i < n; i += 2) start[i] = -1.2;
    const auto outcome = minimise<Lbfgs<>>(rosenbrock, start, patient<Lbfgs<>>());
    for (double x : outcome.best) EXPECT_NEAR(x, 1.0, 1e-5) << n;
    EXPECT_LT(outcome.evaluations, 150u * n);
  }
}

TEST(Lbfgs, finds_the_minimum_beside_a_wall) {
  const auto outcome = minimise<Lbfgs<>>(walled(nan), {-50.0, 1.0}, patient<Lbfgs<>>());
  EXPECT_NEAR(outcome.best[0], 1.0, 1e-6);
  EXPECT_NEAR(outcome.best[1], 0.0, 1e-6);
}

TEST(Lbfgs, stops_at_the_first_step_that_gains_less_than_the_tolerance) {
  const Function f = logistic_regression(300, 10);
  for (double tolerance : {1e-2, 1e-4, 1e-7}) {
    Options options;
    options.tolerance = tolerance;
    double before = 0.0, value = 0.0;  // values after each number of iterations, by runs that end there
    std::vector<double> gradient(10);
    const auto outcome = minimise<Lbfgs<>>(f, std::vector<double>(10, 0.0), options);
    ASSERT_EQ(outcome.reason, Reason::converged);
    for (std::size_t most = 1; most <= outcome.iterations; ++most) {
      Options shorter = options;
      shorter.max_iterations = most, shorter.tolerance = -1.0;
      before = most == 1 ? f(std::vector<double>(10, 0.0), gradient) : value;
      value = minimise<Lbfgs<>>(f, std::vector<double>(10, 0.0), shorter).value;
      const double gain = (before - value) / std::max(std::abs(before), std::abs(value));
      if (most < outcome.iterations)
        EXPECT_GT(gain, tolerance) << "iteration " << most;
      else
        EXPECT_LE(gain, tolerance);
    }
  }
}

TEST(Lbfgs, stops_after_three_steps_in_a_row_that_gain_a_small_share_of_the_gain_so_far) {
  const Function f = logistic_regression(300, 10);
  const std::vector<double> start(10, 0.0);
  for (double share : {0.1, 0.01, 1e-4}) {
    Options options;
    options.tolerance = -1.0, options.gain_tolerance = share;
    const auto outcome = minimise<Lbfgs<>>(f, start, options);
    ASSERT_EQ(outcome.reason, Reason::converged);
    std::vector<double> gradient(10), values{f(start, gradient)};
    std::size_t slow = 0;
    for (std::size_t most = 1; most <= outcome.iterations; ++most) {
      Options shorter;
      shorter.max_iterations = most, shorter.tolerance = -1.0;
      values.push_back(minimise<Lbfgs<>>(f, start, shorter).value);
      const double gain = values[most - 1] - values[most];
      slow = gain <= share * (values[0] - values[most]) ? slow + 1 : 0;
      EXPECT_EQ(slow == 3, most == outcome.iterations) << share << ", iteration " << most;
    }
  }
}

TEST(Lbfgs, a_share_of_the_gain_does_not_depend_on_how_large_the_value_is) {
  const Function f = logistic_regression(300, 10);
  const Function lifted = [&](std::span<const double> x, std::span<double> g) { return 1000.0 + f(x, g); };
  Options options;
  options.tolerance = -1.0, options.gain_tolerance = 0.01;
  const std::vector<double> start(10, 0.0);
  EXPECT_EQ(minimise<Lbfgs<>>(lifted, start, options).iterations, minimise<Lbfgs<>>(f, start, options).iterations);
}

TEST(Lbfgs, never_ends_above_its_start_and_tells_the_value_of_its_point) {
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    core::Rng rng(trial, 0, core::Purpose::generator);
    std::vector<double> start(4), gradient(4);
    for (double& x : start) x = 5 * rng.normal();
    // A rough landscape with float-sized noise on the value, as a fit sees it.
    const Function rough = [](std::span<const double> x, std::span<double> g) {
      double value = 0.0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        value += 0.1 * x[i] * x[i] + std::sin(3 * x[i]);
        g[i] = 0.2 * x[i] + 3 * std::cos(3 * x[i]);
      }
      return static_cast<double>(static_cast<float>(value));
    };
    Options options;
    options.max_iterations = 1 + trial % 20;
    const double before = rough(start, gradient);
    const auto outcome = minimise<Lbfgs<>>(rough, start, options);
    EXPECT_LE(outcome.value, before + 1e-9 * std::abs(before));
    EXPECT_EQ(outcome.value, rough(outcome.best, gradient)) << "value and point come from different trials";
  }
}

TEST(Lbfgs, a_refused_pair_does_not_spoil_the_oldest_one) {
  // With room for one pair: a first step that curves, then a straight slope whose pair (y = 0) must be refused. The
  // next direction is then the gradient's own, not one made of the old curvature with the new, empty change.
  Options options;
  options.pairs = 1;
  options.tolerance = -1.0;
  const std::vector<double> start{0.0, 0.0};
  std::vector<double> room(Lbfgs<>::workspace_size(2, options));
  Lbfgs<> solver(options, start, room);
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

TEST(Lbfgs, needs_hardly_more_evaluations_than_iterations) {
  Options options;
  options.tolerance = 1e-10;
  const auto outcome = minimise<Lbfgs<>>(logistic_regression(500, 30), std::vector<double>(30, 0.0), options);
  const double per = static_cast<double>(outcome.evaluations) / static_cast<double>(outcome.iterations);
  RecordProperty("evaluations_per_iteration", std::to_string(per));
  std::cout << "  " << outcome.iterations << " iterations, " << per << " evaluations each\n";
  EXPECT_LE(per, 1.3);
  EXPECT_GE(outcome.iterations, 10u);
}

}  // namespace
}  // namespace accrete::solver
