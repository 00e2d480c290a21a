// The directions of both L-BFGS solvers, against the matrix that they stand for.

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <limits>
#include <utility>

#include "accrete/solver/bounded_lbfgs.hpp"
#include "tests/solver/problems.hpp"

namespace accrete::solver::quasi_newton_test {
namespace {

constexpr std::size_t n = 3;
using Point = std::vector<double>;
using Pairs = std::deque<std::pair<Point, Point>>;  ///< (s, y), oldest first

double dot(const Point& a, const Point& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

Point difference(std::span<const double> a, std::span<const double> b) {
  Point result(n);
  for (std::size_t i = 0; i < n; ++i) result[i] = a[i] - b[i];
  return result;
}

/// H x, where H is the inverse BFGS matrix of the pairs: H' = (1 - s y^T / s.y) H (1 - y s^T / s.y) + s s^T / s.y, from
/// s.y / y.y of the newest pair.
Point multiply(const Pairs& pairs, std::size_t used, Point x) {
  if (used == 0) {
    const auto& [s, y] = pairs.back();
    for (double& value : x) value *= dot(s, y) / dot(y, y);
    return x;
  }
  const auto& [s, y] = pairs[used - 1];
  const double along = dot(s, x) / dot(s, y);
  for (std::size_t i = 0; i < n; ++i) x[i] -= along * y[i];
  x = multiply(pairs, used - 1, std::move(x));
  const double back = dot(y, x) / dot(s, y);
  for (std::size_t i = 0; i < n; ++i) x[i] += (along - back) * s[i];
  return x;
}

/// A pair without curvature is not used; it overwrites the oldest one.
void add_pair(Pairs& pairs, std::pair<Point, Point> pair, std::size_t max_pairs) {
  const auto& [s, y] = pair;
  const bool is_usable = dot(s, y) > 1e-12 * dot(y, y);
  if (pairs.size() == max_pairs) pairs.pop_front();
  if (is_usable) pairs.push_back(std::move(pair));
}

/// Every iteration must begin with a full step along -H gradient. Returns the number of iterations that did so with
/// all pairs.
template <class Solver>
std::size_t check_directions(Solver& solver, const Function& f, std::size_t max_pairs) {
  Point gradient(n), last(n), last_gradient(n);
  Pairs pairs;
  std::size_t iterations = 0, full = 0;
  for (bool more = true; more;) {
    const Point at(solver.point().begin(), solver.point().end());
    const double value = f(at, gradient);
    more = solver.tell(value, gradient);
    if (solver.iterations() > iterations)
      add_pair(pairs, {difference(at, last), difference(gradient, last_gradient)}, max_pairs);
    else if (iterations > 0 || last_gradient != Point(n))
      continue;  // within a line search
    iterations = solver.iterations();
    last = at, last_gradient = gradient;
    if (!more || pairs.empty()) continue;
    const Point expected = multiply(pairs, pairs.size(), gradient), found = difference(last, solver.point());
    for (std::size_t i = 0; i < n; ++i)
      EXPECT_NEAR(found[i], expected[i], 1e-6 * largest(expected)) << iterations << " iterations";
    full += pairs.size() == max_pairs;
  }
  return full;
}

/// Not convex, so that some pairs of a search without Wolfe conditions have no curvature.
double waves(std::span<const double> x, std::span<double> g) {
  double value = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double a = static_cast<double>(i + 1), other = x[(i + 1) % n];
    value += 0.05 * x[i] * x[i] + std::sin(a * x[i]) + 0.3 * x[i] * other;
    g[i] = 0.1 * x[i] + a * std::cos(a * x[i]) + 0.3 * other + 0.3 * x[(i + n - 1) % n];
  }
  return value;
}

TEST(QuasiNewton, DirectionsAreThoseOfTheLastPairs) {
  const Point none(n, -std::numeric_limits<double>::infinity()), all(n, std::numeric_limits<double>::infinity());
  for (const std::size_t pairs : {1, 2, 5}) {
    std::size_t full = 0, full_bounded = 0;
    for (const Function& f : {Function(rosenbrock), Function(waves)})
      for (const double start : {-1.2, 0.4, 2.0}) {
        SCOPED_TRACE(testing::Message() << pairs << " pairs from " << start);
        SolverOptions options;
        options.pairs = pairs, options.max_iterations = 15, options.tolerance = -1.0;
        options.gradient_tolerance = 1e-3;
        Point workspace(Lbfgs<>::workspace_size(n, options));
        Lbfgs<> free(options, Point(n, start), workspace);
        full += check_directions(free, f, pairs);
        workspace.resize(BoundedLbfgs::workspace_size(n, options));
        BoundedLbfgs bounded(options, Point(n, start), {none, all}, workspace);
        full_bounded += check_directions(bounded, f, pairs);
      }
    EXPECT_GT(full, 5u) << pairs;
    EXPECT_GT(full_bounded, 5u) << pairs;
  }
}

}  // namespace
}  // namespace accrete::solver::quasi_newton_test
