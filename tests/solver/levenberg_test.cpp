#include "accrete/solver/levenberg.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace accrete::solver {
namespace {

/// 1/2 |r(x)|^2 with its residuals and their derivatives (residuals x parameters).
struct Squares {
  std::size_t residuals;
  void (*at)(std::span<const double> x, std::span<double> r, std::span<double> j);
};

struct Outcome {
  std::vector<double> best, values;  ///< values: of every evaluation
  double value;
  Reason reason;
};

Outcome minimise(const Squares& squares, std::vector<double> start, const Options& options) {
  const std::size_t n = start.size(), m = squares.residuals;
  constexpr double guard = 1234.5;
  std::vector<double> room(Levenberg::workspace_size(n) + 8, guard), r(m), j(m * n), g(n);
  Levenberg solver(options, start, std::span(room).first(Levenberg::workspace_size(n)));
  Outcome outcome;
  bool on = true;
  while (on && outcome.values.size() < 1000) {
    squares.at(solver.point(), r, j);
    double value = 0.0;
    std::fill(g.begin(), g.end(), 0.0);
    for (std::size_t i = 0; i < m; ++i) {
      value += 0.5 * r[i] * r[i];
      for (std::size_t k = 0; k < n; ++k) g[k] += r[i] * j[i * n + k];
    }
    outcome.values.push_back(value);
    on = solver.tell(value, g, [&](std::span<double> matrix) {
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = a; b < n; ++b) {
          matrix[a * n + b] = 0.0;
          for (std::size_t i = 0; i < m; ++i) matrix[a * n + b] += j[i * n + a] * j[i * n + b];
        }
    });
  }
  for (std::size_t i = room.size() - 8; i < room.size(); ++i) EXPECT_EQ(room[i], guard) << "beyond the workspace";
  outcome.best.assign(solver.best().begin(), solver.best().end());
  outcome.value = solver.value();
  outcome.reason = solver.reason();
  return outcome;
}

/// r = (10 (y - x^2), 1 - x): a bent valley, the minimum 0 at (1, 1).
const Squares rosenbrock{2, [](std::span<const double> x, std::span<double> r, std::span<double> j) {
                           r[0] = 10.0 * (x[1] - x[0] * x[0]), r[1] = 1.0 - x[0];
                           j[0] = -20.0 * x[0], j[1] = 10.0, j[2] = -1.0, j[3] = 0.0;
                         }};

TEST(Levenberg, follows_a_bent_valley_to_its_end_in_few_evaluations) {
  const auto found = minimise(rosenbrock, {-1.2, 1.0}, {.max_iterations = 100, .tolerance = 1e-12});
  EXPECT_NEAR(found.best[0], 1.0, 1e-6);
  EXPECT_NEAR(found.best[1], 1.0, 1e-6);
  EXPECT_LT(found.values.size(), 45u);
  EXPECT_NE(found.reason, Reason::iterations);
}

TEST(Levenberg, the_best_point_is_the_lowest_that_was_told) {
  for (std::size_t most : {1, 2, 3, 5, 8, 13}) {
    const auto found = minimise(rosenbrock, {-1.2, 1.0}, {.max_iterations = most, .tolerance = 0.0});
    EXPECT_EQ(found.values.size(), most + 1) << "a trial is an iteration, taken or not";
    EXPECT_EQ(found.value, *std::ranges::min_element(found.values));
    EXPECT_EQ(found.reason, Reason::iterations);
    std::vector<double> r(2), j(4);
    rosenbrock.at(found.best, r, j);
    EXPECT_EQ(found.value, 0.5 * r[0] * r[0] + 0.5 * r[1] * r[1]);
  }
}

TEST(Levenberg, solves_what_is_linear_nearly_at_once_and_stops_where_nothing_changes) {
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

TEST(Levenberg, a_last_step_that_is_foretold_to_bring_too_little_is_not_tried) {
  // From 0 a step damped by a tenth goes 10/11 of the way, which leaves 1/121 of the value.
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

TEST(Levenberg, a_share_of_the_gain_ends_it) {
  const auto until = [](double share) {
    return minimise(rosenbrock, {-1.2, 1.0}, {.max_iterations = 100, .tolerance = 0.0, .gain_tolerance = share})
        .values.size();
  };
  EXPECT_LT(until(0.5), until(1e-9));
  EXPECT_LT(until(1e-3), until(1e-9));
  EXPECT_EQ(until(0.5), 2u) << "the second is foretold to bring less than the first";
  EXPECT_GT(until(1e-3), 2u) << "the first step is all of the gain";
}

TEST(Levenberg, turns_back_from_where_there_are_no_numbers) {
  // log x: a whole step from 20 goes below 0.
  const Squares logarithm{1, [](std::span<const double> x, std::span<double> r, std::span<double> j) {
                            r[0] = x[0] > 0.0 ? std::log(x[0]) : std::numeric_limits<double>::quiet_NaN();
                            j[0] = 1.0 / x[0];
                          }};
  const auto found = minimise(logarithm, {20.0}, {.max_iterations = 100, .tolerance = 1e-12});
  EXPECT_TRUE(std::isnan(found.values[1]));
  EXPECT_NEAR(found.best[0], 1.0, 1e-5);
}

TEST(Levenberg, a_parameter_that_changes_nothing_stays_where_it_is) {
  const Squares first{1, [](std::span<const double> x, std::span<double> r, std::span<double> j) {
                        r[0] = x[0] - 5.0, j[0] = 1.0, j[1] = 0.0;
                      }};
  const auto found = minimise(first, {0.0, 0.25}, {.max_iterations = 100, .tolerance = 1e-12});
  EXPECT_NEAR(found.best[0], 5.0, 1e-4);
  EXPECT_EQ(found.best[1], 0.25);
}

}  // namespace
}  // namespace accrete::solver
