#include "accrete/solver/levenberg.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace accrete::solver::levenberg_test {
namespace {

/// 1/2 |r(x)|^2 with its residuals and their derivatives (residuals x parameters).
struct Squares {
  std::size_t residuals;
  void (*at)(std::span<const double> x, std::span<double> r, std::span<double> j);
};

struct LevenbergResult {
  std::vector<double> best, values;  ///< values: of every evaluation
  double value;
  Reason reason;
};

LevenbergResult minimise(const Squares& squares, std::vector<double> start, const SolverOptions& options) {
  const std::size_t n = start.size(), m = squares.residuals;
  constexpr double guard = 1234.5;
  std::vector<double> workspace(Levenberg::workspace_size(n) + 8, guard), r(m), j(m * n), g(n);
  Levenberg solver(options, start, std::span(workspace).first(Levenberg::workspace_size(n)));
  LevenbergResult outcome;
  bool running = true;
  while (running && outcome.values.size() < 1000) {
    squares.at(solver.point(), r, j);
    double value = 0.0;
    std::fill(g.begin(), g.end(), 0.0);
    for (std::size_t i = 0; i < m; ++i) {
      value += 0.5 * r[i] * r[i];
      for (std::size_t k = 0; k < n; ++k) g[k] += r[i] * j[i * n + k];
    }
    outcome.values.push_back(value);
    running = solver.tell(value, g, [&](std::span<double> matrix) {
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = a; b < n; ++b) {
          matrix[a * n + b] = 0.0;
          for (std::size_t i = 0; i < m; ++i) matrix[a * n + b] += j[i * n + a] * j[i * n + b];
        }
    });
  }
  for (std::size_t i = workspace.size() - 8; i < workspace.size(); ++i)
    EXPECT_EQ(workspace[i], guard) << "written past the end of the workspace";
  outcome.best.assign(solver.best().begin(), solver.best().end());
  outcome.value = solver.value();
  outcome.reason = solver.reason();
  return outcome;
}

/// r = (10 (y - x^2), 1 - x): a curved valley with the minimum 0 at (1, 1).
const Squares rosenbrock{2, [](std::span<const double> x, std::span<double> r, std::span<double> j) {
                           r[0] = 10.0 * (x[1] - x[0] * x[0]), r[1] = 1.0 - x[0];
                           j[0] = -20.0 * x[0], j[1] = 10.0, j[2] = -1.0, j[3] = 0.0;
                         }};

TEST(Levenberg, MinimisesRosenbrockInFewEvaluations) {
  const auto found = minimise(rosenbrock, {-1.2, 1.0}, {.max_iterations = 100, .tolerance = 1e-12});
  EXPECT_NEAR(found.best[0], 1.0, 1e-6);
  EXPECT_NEAR(found.best[1], 1.0, 1e-6);
  EXPECT_LT(found.values.size(), 45u);
  EXPECT_NE(found.reason, Reason::iterations);
}

TEST(Levenberg, ReturnsTheLowestEvaluatedPoint) {
  for (std::size_t limit : {1, 2, 3, 5, 8, 13}) {
    const auto found = minimise(rosenbrock, {-1.2, 1.0}, {.max_iterations = limit, .tolerance = 0.0});
    EXPECT_EQ(found.values.size(), limit + 1) << "rejected trials count as iterations";
    EXPECT_EQ(found.value, *std::ranges::min_element(found.values));
    EXPECT_EQ(found.reason, Reason::iterations);
    std::vector<double> r(2), j(4);
    rosenbrock.at(found.best, r, j);
    EXPECT_EQ(found.value, 0.5 * r[0] * r[0] + 0.5 * r[1] * r[1]);
  }
}

TEST(Levenberg, SolvesALinearProblemInFewSteps) {
  const Squares line{3, [](std::span<const double> x, std::span<double> r, std::span<double> j) {
                       for (std::size_t i = 0; i < 3; ++i) {
                         const auto t = static_cast<double>(i);
                         r[i] = x[0] + t * x[1] - (2.0 + 3.0 * t), j[2 * i] = 1.0, j[2 * i + 1] = t;
                       }
                     }};
  const auto found = minimise(line, {0.0, 0.0}, {.max_iterations = 50, .tolerance = 1e-9, .floor = 1.0});
  EXPECT_NEAR(found.best[0], 2.0, 1e-3);
  EXPECT_NEAR(found.best[1], 3.0, 1e-3);
  EXPECT_EQ(found.reason, Reason::converged);
  EXPECT_LT(found.values.size(), 10u);
  EXPECT_EQ(minimise(line, {2.0, 3.0}, {}).reason, Reason::flat);
}

TEST(Levenberg, SkipsAStepWithTooSmallAPredictedDecrease) {
  // From 0 a step with damping 0.1 covers 10/11 of the distance, which leaves 1/121 of the value.
  const Squares one{
      1, [](std::span<const double> x, std::span<double> r, std::span<double> j) { r[0] = x[0] - 5.0, j[0] = 1.0; }};
  const auto evaluations = [&](double share) {
    const auto found = minimise(one, {0.0}, {.max_iterations = 50, .tolerance = 0.0, .gain_tolerance = share});
    EXPECT_EQ(found.reason, Reason::converged);
    return found.values.size();
  };
  EXPECT_EQ(evaluations(0.01), 2u);
  EXPECT_EQ(evaluations(0.007), 3u);
}

TEST(Levenberg, StopsAtTheGainTolerance) {
  const auto until = [](double share) {
    return minimise(rosenbrock, {-1.2, 1.0}, {.max_iterations = 100, .tolerance = 0.0, .gain_tolerance = share})
        .values.size();
  };
  EXPECT_LT(until(0.5), until(1e-9));
  EXPECT_LT(until(1e-3), until(1e-9));
  EXPECT_EQ(until(0.5), 2u) << "the predicted decrease of the second step is below half of the first";
  EXPECT_GT(until(1e-3), 2u) << "the first decrease is the total decrease";
}

TEST(Levenberg, RejectsNonFiniteValues) {
  // log x: a full step from 20 ends below 0.
  const Squares logarithm{1, [](std::span<const double> x, std::span<double> r, std::span<double> j) {
                            r[0] = x[0] > 0.0 ? std::log(x[0]) : std::numeric_limits<double>::quiet_NaN();
                            j[0] = 1.0 / x[0];
                          }};
  const auto found = minimise(logarithm, {20.0}, {.max_iterations = 100, .tolerance = 1e-12});
  EXPECT_TRUE(std::isnan(found.values[1]));
  EXPECT_NEAR(found.best[0], 1.0, 1e-5);
}

TEST(Levenberg, LeavesAParameterWithoutEffectUnchanged) {
  const Squares first{1, [](std::span<const double> x, std::span<double> r, std::span<double> j) {
                        r[0] = x[0] - 5.0, j[0] = 1.0, j[1] = 0.0;
                      }};
  const auto found = minimise(first, {0.0, 0.25}, {.max_iterations = 100, .tolerance = 1e-12});
  EXPECT_NEAR(found.best[0], 5.0, 1e-4);
  EXPECT_EQ(found.best[1], 0.25);
}

/// The second residual hardly depends on the second parameter: undamped by the first, its step would be 1e55.
TEST(Levenberg, LimitsTheStepOfAParameterWhoseDerivativeHasVanished) {
  const Squares nearly_flat{2, [](std::span<const double> x, std::span<double> r, std::span<double> j) {
                              r[0] = x[0] - 2.0, r[1] = 1e-5 + 1e-60 * x[1];
                              j[0] = 1.0, j[1] = 0.0, j[2] = 0.0, j[3] = 1e-60;
                            }};
  const auto outcome = minimise(nearly_flat, {0.0, 0.0}, {});
  EXPECT_NEAR(outcome.best[0], 2.0, 1e-3);
  EXPECT_LT(std::abs(outcome.best[1]), 1e10);
}

}  // namespace
}  // namespace accrete::solver::levenberg_test
