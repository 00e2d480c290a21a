#pragma once
// L-BFGS with a lower and an upper bound on every variable: two-metric projection (Bertsekas, Projected Newton methods
// for optimization problems with simple constraints, 1982).
//
// A variable is held if it is at or near a bound and the gradient pushes it outwards. The free variables take the
// quasi-Newton direction of the pairs restricted to them; held variables move straight to their bound. The step is
// shortened along the projected path until the value decreases enough (Armijo).

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "accrete/solver/problem.hpp"
#include "accrete/solver/vectors.hpp"

namespace accrete::solver {

/// One entry per variable; infinite where there is no bound. A variable with two equal bounds is constant.
struct Bounds {
  std::span<const double> lower, upper;

  double clamp(std::size_t i, double x) const { return std::clamp(x, lower[i], upper[i]); }
};

class BoundedLbfgs {
  using Vectors = HostVectors;

 public:
  static constexpr bool stochastic = false;

  static std::size_t workspace_size(std::size_t n, const SolverOptions& options) {
    return (vector_count + 2 * options.pairs) * padded(n) + 2 * options.pairs;
  }

  /// Starts at the nearest point within the bounds. Keeps references to the options, the bounds and the workspace,
  /// which must have workspace_size(n, options) elements.
  BoundedLbfgs(const SolverOptions& options, std::span<const double> start, const Bounds& bounds,
               std::span<double> workspace)
      : options_(&options), bounds_(bounds), size_(start.size()), n_(padded(size_)) {
    std::ranges::fill(workspace.first(workspace_size(size_, options)), 0.0);
    double* next = workspace.data();
    auto take = [&](std::size_t count) { return std::exchange(next, next + count); };
    best_ = take(n_), trial_ = take(n_), gradient_ = take(n_), trial_gradient_ = take(n_);
    direction_ = take(n_), is_free_ = take(n_), scratch_ = take(n_);
    s_ = take(options.pairs * n_), y_ = take(options.pairs * n_);
    inverse_curvature_ = take(options.pairs), loop_weight_ = take(options.pairs);
    for (std::size_t i = 0; i < size_; ++i) best_[i] = trial_[i] = bounds_.clamp(i, start[i]);
  }

  std::span<const double> point() const { return {trial_, size_}; }
  MiniBatch batch() const { return {}; }
  std::span<const double> best() const { return {best_, size_}; }
  double value() const { return value_; }
  Reason reason() const { return reason_; }
  std::size_t iterations() const { return iterations_; }

  /// Takes value and gradient at point(). Returns true if the caller should evaluate the new point().
  bool tell(double value, std::span<const double> gradient) {
    std::ranges::copy(gradient, trial_gradient_);
    if (!std::exchange(started_, true)) {
      value_ = value;
      convergence_.begin(value);
      std::swap(gradient_, trial_gradient_);
      return begin_iteration();
    }
    const double noise = options_->noise * std::abs(value_);
    if (std::isfinite(value) && expected_ < 0.0 && value <= value_ + sufficient * expected_ + noise)
      return accept(value) && begin_iteration();
    if (shorten(value)) return move_trial();
    return restart() && begin_iteration();
  }

 private:
  static constexpr std::size_t vector_count = 7;
  static constexpr double sufficient = 1e-4;     ///< a step must reach this share of the linear decrease
  static constexpr double max_margin = 1e-3;     ///< variables within this distance of a bound may be held
  static constexpr unsigned max_shortened = 30;  ///< maximum number of times a step is shortened

  /// Vectors are zero-padded, as HostVectors requires.
  static std::size_t padded(std::size_t n) {
    return (n + Vectors::pad_multiple - 1) / Vectors::pad_multiple * Vectors::pad_multiple;
  }

  bool stop(Reason reason) {
    reason_ = reason;
    return false;
  }

  /// Length of a unit gradient step of variable i, clamped to its bounds. All lengths are 0 at a minimum.
  double gradient_move(std::size_t i) const { return bounds_.clamp(i, best_[i] - gradient_[i]) - best_[i]; }

  /// Marks the free variables. The margin vanishes near a minimum, so that no variable is held there by mistake.
  void find_free() {
    double moves = 0.0;
    for (std::size_t i = 0; i < size_; ++i) moves += gradient_move(i) * gradient_move(i);
    const double margin = std::min(max_margin, std::sqrt(moves));
    for (std::size_t i = 0; i < size_; ++i) {
      const double g = gradient_[i], low = bounds_.lower[i], high = bounds_.upper[i];
      const bool held = low == high || (g > 0.0 && best_[i] <= low + margin) || (g < 0.0 && best_[i] >= high - margin);
      is_free_[i] = held ? 0.0 : 1.0;
    }
  }

  bool begin_iteration() {
    double largest = 0.0;
    for (std::size_t i = 0; i < size_; ++i) largest = std::max(largest, std::abs(gradient_move(i)));
    if (!(largest > options_->gradient_tolerance) || !std::isfinite(value_)) return stop(Reason::flat);
    find_free();
    double length = find_direction();
    slope_ = Vectors::dot(gradient_, direction_, n_);
    if (!(slope_ < 0.0) && pairs_ > 0) {  // round-off: restart from steepest descent
      pairs_ = 0;
      length = find_direction();
      slope_ = Vectors::dot(gradient_, direction_, n_);
    }
    if (!(slope_ < 0.0)) return stop(Reason::flat);
    step_ = length;
    shortened_ = 0;
    return move_trial();
  }

  /// Moves to the point of the projected path at step_, and predicts the decrease from the gradient.
  bool move_trial() {
    for (std::size_t i = 0; i < size_; ++i) trial_[i] = bounds_.clamp(i, best_[i] + step_ * direction_[i]);
    Vectors::add(trial_, -1.0, best_, scratch_, n_);
    expected_ = Vectors::dot(gradient_, scratch_, n_);
    return true;
  }

  /// Moves to the minimum of the parabola through the values so far, within limits. Returns false after max_shortened
  /// calls.
  bool shorten(double value) {
    if (++shortened_ > max_shortened) return false;
    const double above = value - value_ - slope_ * step_;
    const double wanted = std::isfinite(above) && above > 0.0 ? -0.5 * slope_ * step_ * step_ / above : 0.0;
    step_ = std::clamp(wanted, 0.1 * step_, 0.5 * step_);
    return true;
  }

  /// Accepts the trial as the current point. Returns false if the solver stops there.
  bool accept(double value) {
    store_pair();
    const double before = std::exchange(value_, value);
    std::swap(best_, trial_);
    std::swap(gradient_, trial_gradient_);
    ++iterations_;
    if (convergence_.reached(*options_, before, value)) return stop(Reason::converged);
    return iterations_ < options_->max_iterations || stop(Reason::iterations);
  }

  /// If the step cannot be shortened further, retries along the gradient, unless the expected decrease is below the
  /// rounding noise of the values. Returns false if the solver stops.
  bool restart() {
    if (-slope_ <= 100.0 * options_->noise * std::abs(value_)) return stop(Reason::converged);
    if (pairs_ == 0) return stop(Reason::no_progress);
    pairs_ = 0;
    return true;
  }

  /// Stores s = x' - x and y = g' - g if the pair has positive curvature.
  void store_pair() {
    const std::size_t to = pairs_ == 0 || newest_ + 1 == options_->pairs ? 0 : newest_ + 1;
    Vectors::add(trial_, -1.0, best_, s_ + to * n_, n_);
    const double yy = Vectors::add(trial_gradient_, -1.0, gradient_, y_ + to * n_, n_);
    if (!(Vectors::dot(s_ + to * n_, y_ + to * n_, n_) > 1e-12 * yy)) {
      if (pairs_ == options_->pairs) --pairs_;  // overwrites the oldest pair
      return;
    }
    newest_ = to;
    pairs_ = std::min(pairs_ + 1, options_->pairs);
  }

  void multiply_by_free(double* x) const {
    for (std::size_t i = 0; i < n_; ++i) x[i] *= is_free_[i];
  }

  /// Computes the direction by the two-loop recursion over the free variables; a pair without positive curvature among
  /// them gets weight 0. Returns the first step length to try.
  double find_direction() {
    double* d = direction_;
    Vectors::copy(gradient_, d, n_);
    multiply_by_free(d);
    const double steepness = Vectors::dot(d, d, n_);
    const auto slot = [&](std::size_t age) { return (newest_ + options_->pairs - age) % options_->pairs; };
    double scale = 0.0;
    for (std::size_t age = 0; age < pairs_; ++age) {
      const std::size_t i = slot(age);
      Vectors::copy(y_ + i * n_, scratch_, n_);
      multiply_by_free(scratch_);
      const double sy = Vectors::dot(s_ + i * n_, scratch_, n_), yy = Vectors::dot(scratch_, scratch_, n_);
      const bool is_usable = sy > 1e-12 * yy && yy > 0.0;
      inverse_curvature_[i] = is_usable ? 1.0 / sy : 0.0;
      if (is_usable && scale == 0.0) scale = sy / yy;
      loop_weight_[i] = inverse_curvature_[i] * Vectors::dot(s_ + i * n_, d, n_);
      Vectors::axpy_dot(-loop_weight_[i], scratch_, d, d, n_);
    }
    const bool has_curvature = scale > 0.0;
    Vectors::scale(has_curvature ? -scale : -1.0, d, n_);  // including the sign, which makes it a descent direction
    for (std::size_t age = pairs_; has_curvature && age-- > 0;) {
      const std::size_t i = slot(age);
      const double beta = inverse_curvature_[i] * Vectors::dot(y_ + i * n_, d, n_);
      Vectors::axpy_dot(-loop_weight_[i] - beta, s_ + i * n_, d, d, n_);
      multiply_by_free(d);
    }
    for (std::size_t i = 0; i < size_; ++i)
      if (is_free_[i] == 0.0) d[i] = (gradient_[i] > 0.0 ? bounds_.lower[i] : bounds_.upper[i]) - best_[i];
    // Without curvature, the first step has the length of typical weights, as in Lbfgs.
    return has_curvature || steepness == 0.0 ? 1.0 : 0.3 / std::sqrt(steepness);
  }

  const SolverOptions* options_;
  Bounds bounds_;
  std::size_t size_, n_;  ///< number of variables, without and with padding
  double *best_, *trial_, *gradient_, *trial_gradient_, *direction_, *is_free_, *scratch_;
  double *s_, *y_, *inverse_curvature_, *loop_weight_;
  std::size_t pairs_ = 0, newest_ = 0, iterations_ = 0;
  unsigned shortened_ = 0;
  Convergence convergence_;
  double value_ = 0.0, slope_ = 0.0, expected_ = 0.0, step_ = 0.0;
  bool started_ = false;
  Reason reason_ = Reason::running;
};

}  // namespace accrete::solver
