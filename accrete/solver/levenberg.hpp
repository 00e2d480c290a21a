#pragma once
// Levenberg-Marquardt: damped Gauss-Newton steps, for a sum of squares with few parameters:
//
//   (H + damping diag H) step = -gradient
//
// Diagonal elements that vanish compared to the largest are damped by a share of the largest instead; otherwise a
// saturated unit would take an unbounded step.
//
// The caller provides H, the Gauss-Newton matrix. A sample of the rows is enough for H, because it only sets the
// direction: a step is accepted if it lowers the value over all rows. Damping decreases where H predicts the decrease
// well and increases where it does not (Nocedal and Wright, Numerical Optimization, section 10.3).

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

#include "accrete/solver/cholesky.hpp"
#include "accrete/solver/problem.hpp"

namespace accrete::solver {

class Levenberg {
 public:
  static std::size_t workspace_size(std::size_t n) { return 4 * n + 2 * n * n; }

  /// Keeps references to the options and the workspace, which must have workspace_size(n) elements.
  Levenberg(const SolverOptions& options, std::span<const double> start, std::span<double> workspace)
      : options_(&options), n_(start.size()) {
    double* next = workspace.data();
    auto take = [&](std::size_t count) { return std::exchange(next, next + count); };
    best_ = take(n_), trial_ = take(n_), gradient_ = take(n_), step_ = take(n_);
    matrix_ = take(n_ * n_), factor_ = take(n_ * n_);
    std::ranges::copy(start, best_);
    std::ranges::copy(start, trial_);
  }

  std::span<const double> point() const { return {trial_, n_}; }
  std::span<const double> best() const { return {best_, n_}; }
  double value() const { return value_; }
  Reason reason() const { return reason_; }
  std::size_t iterations() const { return iterations_; }

  /// Takes value and gradient at point(). Returns true if the caller should evaluate the new point(). curvature(matrix)
  /// writes the upper triangle of H at the same point; it is called only if the point is accepted and the solver
  /// continues.
  template <class Curvature>
  bool tell(double value, std::span<const double> gradient, const Curvature& curvature) {
    if (!started_) {
      started_ = true;
      first_ = value;
    } else {
      ++iterations_;
      if (!(value < value_)) return reject();
      update_damping(value);
    }
    std::swap(best_, trial_);
    value_ = value;
    std::ranges::copy(gradient, gradient_);
    if (reason_ != Reason::running) return false;
    if (iterations_ >= options_->max_iterations) return stop(Reason::iterations);
    curvature(std::span(matrix_, n_ * n_));
    return propose();
  }

 private:
  bool stop(Reason reason) {
    reason_ = reason;
    return false;
  }

  /// Compares the decrease with H's prediction, and sets reason_ if it is below the tolerance.
  void update_damping(double value) {
    const double decrease = value_ - value, ratio = decrease / predicted_decrease_;
    damping_ = std::max(min_damping, damping_ * (ratio > 0.75 ? 0.3 : ratio > 0.25 ? 1.0 : 3.0));
    if (decrease <= min_decrease(value)) reason_ = Reason::converged;
  }

  /// Decreases up to this size count as converged.
  double min_decrease(double value) const {
    const double size = std::max({std::abs(value_), std::abs(value), options_->floor});
    return std::max(options_->tolerance * size, options_->gain_tolerance * (first_ - value));
  }

  bool reject() {
    if (iterations_ >= options_->max_iterations) return stop(Reason::iterations);
    if (predicted_decrease_ <= options_->noise * std::abs(value_)) return stop(Reason::no_progress);
    damping_ *= 8.0;
    return propose();
  }

  /// Computes the next trial and its predicted decrease.
  bool propose() {
    double largest = 0.0;
    for (std::size_t i = 0; i < n_; ++i) largest = std::max(largest, matrix_[i * n_ + i]);
    const double min_diagonal = min_relative_diagonal * largest;
    const auto is_vanished = [&](double diagonal) { return diagonal > 0.0 && diagonal < min_diagonal; };
    for (std::size_t i = 0; i < n_; ++i) {
      std::copy(matrix_ + i * n_ + i, matrix_ + (i + 1) * n_, factor_ + i * n_ + i);
      double& diagonal = factor_[i * n_ + i];
      diagonal = is_vanished(diagonal) ? diagonal + damping_ * min_diagonal : diagonal * (1.0 + damping_);
      step_[i] = -gradient_[i];
    }
    eliminate(factor_, n_, n_);
    solve_eliminated(factor_, n_, step_);
    predicted_decrease_ = 0.0;
    for (std::size_t i = 0; i < n_; ++i) {
      const double diagonal = matrix_[i * n_ + i], damped = is_vanished(diagonal) ? min_diagonal : diagonal;
      predicted_decrease_ += 0.5 * step_[i] * (damping_ * damped * step_[i] - gradient_[i]);
      trial_[i] = best_[i] + step_[i];
    }
    if (!(predicted_decrease_ > 0.0 && std::isfinite(predicted_decrease_))) return stop(Reason::flat);
    // Stops without evaluating a step whose predicted decrease is below the tolerance, except for the first step.
    return iterations_ > 0 && predicted_decrease_ <= min_decrease(value_) ? stop(Reason::converged) : true;
  }

  static constexpr double min_damping = 1e-7;
  static constexpr double min_relative_diagonal =
      1e-30;  ///< of the largest diagonal element; smaller elements are damped by it

  const SolverOptions* options_;
  std::size_t n_;
  double *best_, *trial_, *gradient_, *step_, *matrix_, *factor_;
  double value_ = 0.0, first_ = 0.0, predicted_decrease_ = 0.0, damping_ = 0.1;
  std::size_t iterations_ = 0;
  bool started_ = false;
  Reason reason_ = Reason::running;
};

}  // namespace accrete::solver
