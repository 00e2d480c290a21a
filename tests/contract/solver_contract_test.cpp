// Property tests of every solver in the list.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/solver/problems.hpp"

namespace accrete::solver::solver_contract_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Solver>
class SolverContract : public testing::Test {};
using Solvers = testing::Types<All::at<0>, All::at<1>, All::at<2>>;
static_assert(All::size == 3, "a new solver belongs in the list above");
TYPED_TEST_SUITE(SolverContract, Solvers);

TYPED_TEST(SolverContract, MinimisesAQuadratic) {
  const auto outcome = minimise<TypeParam>(quadratic(8, 50.0), std::vector<double>(8, 20.0), long_run<TypeParam>());
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(outcome.best[i], static_cast<double>(i), 1e-4);
  EXPECT_NEAR(outcome.value, 1.0, 1e-8);
}

TYPED_TEST(SolverContract, MinimisesALogisticRegression) {
  const Function f = logistic_regression(200, 6);
  SolverOptions options = long_run<TypeParam>();
  if (std::string_view(TypeParam::name) == "sgd") options.rate = 0.3;
  if (std::string_view(TypeParam::name) == "adam") options.rate = 0.005;
  options.max_iterations = std::min<std::size_t>(options.max_iterations, 10'000);
  const auto outcome = minimise<TypeParam>(f, std::vector<double>(6, 0.5), options);
  std::vector<double> gradient(6);
  f(outcome.best, gradient);
  EXPECT_LT(largest(gradient), 1e-5) << reason_text(outcome.reason);
}

TYPED_TEST(SolverContract, StopsAtTheIterationLimit) {
  for (std::size_t limit : {1, 2, 7}) {
    SolverOptions options = long_run<TypeParam>();
    options.max_iterations = limit;
    options.batches = TypeParam::stochastic ? 3 : 1;
    const auto outcome = minimise<TypeParam>(quadratic(8, 1e4), std::vector<double>(8, 20.0), options);
    EXPECT_EQ(outcome.iterations, limit);
    EXPECT_EQ(outcome.reason, Reason::iterations);
    EXPECT_TRUE(!TypeParam::stochastic || outcome.evaluations == 3 * limit);
  }
}

TYPED_TEST(SolverContract, StaysInsideItsWorkspace) {
  for (std::size_t n : {2, 3, 5, 17}) {
    SolverOptions options = long_run<TypeParam>();
    options.max_iterations = 40;
    EXPECT_TRUE(minimise<TypeParam>(quadratic(n, 1e3), std::vector<double>(n, 9.0), options).inside) << n;
    options.pairs = 3;
    EXPECT_TRUE(minimise<TypeParam>(quadratic(n, 1e3), std::vector<double>(n, 9.0), options).inside) << n;
  }
}

TYPED_TEST(SolverContract, StaysAtAZeroGradient) {
  const std::vector<double> start{0.0, 1.0, 2.0};
  const auto outcome = minimise<TypeParam>(quadratic(3, 10.0), start, long_run<TypeParam>());
  EXPECT_EQ(outcome.best, start);
  EXPECT_NE(outcome.reason, Reason::running);
  EXPECT_TRUE(TypeParam::stochastic || outcome.reason == Reason::flat);
}

TYPED_TEST(SolverContract, ConvergesEarlyWithALooseTolerance) {
  SolverOptions options = long_run<TypeParam>();
  options.tolerance = TypeParam::stochastic ? 1e-3 : 1e-2;
  options.patience = 10;
  const auto outcome = minimise<TypeParam>(logistic_regression(200, 6), std::vector<double>(6, 0.5), options);
  EXPECT_EQ(outcome.reason, Reason::converged);
  EXPECT_LT(outcome.iterations, 2'000u);
}

TYPED_TEST(SolverContract, ReturnsFinitePointsIfTheFunctionIsUndefined) {
  for (double outside : {nan, infinity, -infinity}) {
    SolverOptions options = long_run<TypeParam>();
    options.max_iterations = 500;
    options.rate = 1.9;  // large enough for SGD and Adam to leave the domain
    const auto outcome = minimise<TypeParam>(walled(outside), {-50.0, 1.0}, options);
    for (double x : outcome.best) EXPECT_TRUE(std::isfinite(x)) << outside;
    EXPECT_NE(outcome.reason, Reason::running);
  }
  const auto lost = minimise<TypeParam>(walled(nan), {5.0, 1.0}, long_run<TypeParam>());
  EXPECT_EQ(lost.best, (std::vector<double>{5.0, 1.0})) << "a start outside the domain is returned unchanged";
  EXPECT_NE(lost.reason, Reason::running);
}

}  // namespace
}  // namespace accrete::solver::solver_contract_test
