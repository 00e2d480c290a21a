#pragma once
// Test problems with known solutions, and a driver that counts evaluations.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "accrete/core/random.hpp"
#include "accrete/solver/list.hpp"

namespace accrete::solver {

/// Returns the value at a point and writes the gradient.
using Function = std::function<double(std::span<const double>, std::span<double>)>;

struct SolverResult {
  std::vector<double> best;
  double value;
  Reason reason;
  std::size_t iterations, evaluations;
  bool inside;  ///< nothing was written past the end of the workspace
};

template <class Solver>
SolverResult minimise(const Function& f, std::vector<double> start, const SolverOptions& options) {
  constexpr double guard = 1234.5;
  const std::size_t n = start.size(), size = Solver::workspace_size(n, options);
  std::vector<double> workspace(size + 16, guard), gradient(n);
  std::fill_n(workspace.begin(), size, std::numeric_limits<double>::quiet_NaN());
  Solver solver(options, start, std::span(workspace).first(size));
  std::size_t evaluations = 0;
  double value;
  do {
    value = f(solver.point(), gradient);
    ++evaluations;
  } while (solver.tell(value, gradient) && evaluations < 1'000'000);
  bool inside = true;
  for (std::size_t i = size; i < workspace.size(); ++i) inside = inside && workspace[i] == guard;
  return {.best = {solver.best().begin(), solver.best().end()},
          .value = solver.value(),
          .reason = solver.reason(),
          .iterations = solver.iterations(),
          .evaluations = evaluations,
          .inside = inside};
}

template <class F>
void for_each_solver(F f) {
  for (std::size_t i = 0; i < All::size; ++i) All::visit_type(i, [&](auto type) { f(type); });
}

/// 1 + sum of c_i (x_i - i)^2 / 2 with c from 1 to condition. The 1 keeps relative tolerances meaningful at the
/// minimum.
inline Function quadratic(std::size_t n, double condition) {
  return [=](std::span<const double> x, std::span<double> g) {
    double value = 1.0;
    for (std::size_t i = 0; i < n; ++i) {
      const double c = std::pow(condition, static_cast<double>(i) / static_cast<double>(n - 1));
      const double e = x[i] - static_cast<double>(i);
      value += 0.5 * c * e * e;
      g[i] = c * e;
    }
    return value;
  };
}

inline double rosenbrock(std::span<const double> x, std::span<double> g) {
  double value = 0.0;
  std::fill(g.begin(), g.end(), 0.0);
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
    value += 100 * a * a + b * b;
    g[i] += -400 * a * x[i] - 2 * b;
    g[i + 1] += 200 * a;
  }
  return value;
}

/// Logistic regression with an L2 penalty on random rows: strictly convex.
inline Function logistic_regression(std::size_t rows, std::size_t n) {
  core::Rng rng(3, rows, core::Purpose::generator);
  std::vector<double> x(rows * n), sign(rows);
  for (double& v : x) v = rng.normal();
  for (std::size_t r = 0; r < rows; ++r) {
    double z = rng.normal();
    for (std::size_t i = 0; i < n; ++i) z += x[r * n + i] * (i % 2 == 0 ? 1.0 : -0.5);
    sign[r] = z > 0 ? 1.0 : -1.0;
  }
  return [=](std::span<const double> w, std::span<double> g) {
    double value = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      value += 0.5e-3 * w[i] * w[i];
      g[i] = 1e-3 * w[i];
    }
    for (std::size_t r = 0; r < rows; ++r) {
      double z = 0.0;
      for (std::size_t i = 0; i < n; ++i) z += w[i] * x[r * n + i];
      const double m = -sign[r] * z, share = 1.0 / static_cast<double>(rows);
      value += share * (m > 0 ? m + std::log1p(std::exp(-m)) : std::log1p(std::exp(m)));
      for (std::size_t i = 0; i < n; ++i) g[i] += share * -sign[r] / (1 + std::exp(-m)) * x[r * n + i];
    }
    return value;
  };
}

inline double largest(std::span<const double> values) {
  double result = 0.0;
  for (double v : values) result = std::max(result, std::abs(v));
  return result;
}

/// Enough iterations and a suitable rate for problems of unit size.
template <class Solver>
SolverOptions long_run() {
  SolverOptions options;
  options.max_iterations = Solver::stochastic ? 60'000 : 2'000;
  options.tolerance = 0.0;
  options.patience = 2'000;
  options.rate = std::string_view(Solver::name) == "adam" ? 0.02 : 1e-3;
  return options;
}

/// A quadratic with its minimum at x = 1 that returns `outside` for x >= 3.
inline Function walled(double outside) {
  return [=](std::span<const double> x, std::span<double> g) {
    if (x[0] >= 3) return g[0] = g[1] = outside;
    g[0] = x[0] - 1, g[1] = 5 * x[1];
    return 0.5 * (g[0] * g[0] + 5 * x[1] * x[1]);
  };
}

}  // namespace accrete::solver
