#pragma once
// Levenberg and Marquardt's damped Gauss-Newton steps, for a sum of squares of few parameters:
//
//   (H + damping diag H) step = -gradient
//
// H is the Gauss-Newton matrix, which whoever evaluates hands over; one of a sample of the rows will do, because it
// only says where to go: values and gradients of all rows decide what is taken. A step that lowers the value is taken;
// the damping falls where H foretold the decrease well, and rises where it did not (Nocedal and Wright, Numerical
// Optimization, section 10.3).

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

  /// The options and the workspace are not copied.
  Levenberg(const Options& options, std::span<const double> start, std::span<double> workspace)
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

  /// Told value and gradient at point(); true: evaluate at the new point(). curvature(matrix) writes the upper triangle
  /// of H at that same point; it is asked for where the point is taken and the search goes on.
  template <class Curvature>
  bool tell(double value, std::span<const double> gradient, const Curvature& curvature) {
    if (!started_) {
      started_ = true;
      first_ = value;
    } else {
      ++iterations_;
      if (!(value < value_)) return reject();
      judge(value);
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

  /// Was the decrease to the new value what H foretold, and is it worth going on?
  void judge(double value) {
    const double decrease = value_ - value, kept = decrease / foretold_;
    damping_ = std::max(least_damping, damping_ * (kept > 0.75 ? 0.3 : kept > 0.25 ? 1.0 : 3.0));
    if (decrease <= too_little(value)) reason_ = Reason::converged;
  }

  /// A decrease to this value that is not worth going on for.
  double too_little(double value) const {
    const double size = std::max({std::abs(value_), std::abs(value), options_->floor});
    return std::max(options_->tolerance * size, options_->gain_tolerance * (first_ - value));
  }

  bool reject() {
    if (iterations_ >= options_->max_iterations) return stop(Reason::iterations);
    if (foretold_ <= options_->noise * std::abs(value_)) return stop(Reason::no_progress);
    damping_ *= 8.0;
    return propose();
  }

  /// The next trial, and by how much it should lower the value.
  bool propose() {
    for (std::size_t i = 0; i < n_; ++i) {
      std::copy(matrix_ + i * n_ + i, matrix_ + (i + 1) * n_, factor_ + i * n_ + i);
      factor_[i * n_ + i] *= 1.0 + damping_;
      step_[i] = -gradient_[i];
    }
    eliminate(factor_, n_, n_);
    solve_eliminated(factor_, n_, step_);
    foretold_ = 0.0;
    for (std::size_t i = 0; i < n_; ++i) {
      foretold_ += 0.5 * step_[i] * (damping_ * matrix_[i * n_ + i] * step_[i] - gradient_[i]);
      trial_[i] = best_[i] + step_[i];
    }
    if (!(foretold_ > 0.0 && std::isfinite(foretold_))) return stop(Reason::flat);
    // A step that is foretold to be the last is not worth its evaluation; the first is always tried.
    return iterations_ > 0 && foretold_ <= too_little(value_) ? stop(Reason::converged) : true;
  }

  static constexpr double least_damping = 1e-7;

  const Options* options_;
  std::size_t n_;
  double *best_, *trial_, *gradient_, *step_, *matrix_, *factor_;
  double value_ = 0.0, first_ = 0.0, foretold_ = 0.0, damping_ = 0.1;
  std::size_t iterations_ = 0;
  bool started_ = false;
  Reason reason_ = Reason::running;
};

}  // namespace accrete::solver
