#pragma once
// L-BFGS: a quasi-Newton direction from the last few steps, then a strong Wolfe line search.
// Nocedal and Wright, Numerical Optimization, algorithm 7.4 (two-loop recursion) and 7.5.

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "accrete/core/inline.hpp"
#include "accrete/solver/line_search.hpp"
#include "accrete/solver/problem.hpp"
#include "accrete/solver/vectors.hpp"

namespace accrete::solver {

template <class Vectors = HostVectors>
class Lbfgs {
  using PairValue = typename Vectors::PairValue;  ///< element type of the stored (s, y) pairs

 public:
  static constexpr const char* name = "lbfgs";
  static constexpr const char* summary = "quasi-Newton on all rows with a strong Wolfe line search";
  static constexpr bool stochastic = false;

  ACCRETE_HOST_DEVICE static std::size_t workspace_size(std::size_t n, const SolverOptions& options) {
    return 5 * padded(n) + pair_doubles(2 * options.pairs * padded(n)) + 2 * options.pairs;
  }

  /// The most parameters for which the 32-bit indices of the workspace do not overflow.
  static constexpr std::size_t max_parameters(const SolverOptions& options) {
    const std::size_t vectors = std::max<std::size_t>(5, 2 * options.pairs);
    const std::size_t padded_size = std::numeric_limits<unsigned>::max() / vectors;
    return padded_size / Vectors::pad_multiple * Vectors::pad_multiple;
  }

  /// Keeps references to the options and the workspace, which must have workspace_size(n, options) elements. `start`
  /// has at most max_parameters(options) elements.
  ACCRETE_HOST_DEVICE Lbfgs(const SolverOptions& options, std::span<const double> start, std::span<double> workspace)
      : options_(&options),
        workspace_(workspace.data()),
        size_(static_cast<unsigned>(start.size())),
        n_(static_cast<unsigned>(padded(size_))) {
    for (unsigned index = 0; index < 5; ++index) Vectors::clear(vector(index), n_);
    Vectors::copy(start.data(), best_point(), size_);
    Vectors::copy(start.data(), trial(), size_);
  }

  ACCRETE_HOST_DEVICE std::span<const double> point() const { return {trial(), size_}; }
  MiniBatch batch() const { return {}; }
  ACCRETE_HOST_DEVICE std::span<const double> best() const { return {best_point(), size_}; }
  ACCRETE_HOST_DEVICE double value() const { return value_; }
  Reason reason() const { return reason_; }
  std::size_t iterations() const { return iterations_; }

  /// Takes value and gradient at point(). Returns true if the caller should evaluate the new point().
  ACCRETE_HOST_DEVICE bool tell(double value, std::span<const double> gradient) {
    Vectors::copy(gradient.data(), trial_gradient(), size_);
    if (iterations_ == 0 && !searching_) {
      value_ = value;
      convergence_.begin(value);
      gradient_at_ ^= 1;
    } else {
      const auto status = search_.tell(value, Vectors::dot(trial_gradient(), direction(), n_));
      if (status == LineSearch::Status::evaluate) return move_trial();
      if (!(status == LineSearch::Status::accept ? accept(value) : restart())) return false;
    }
    return begin_iteration();
  }

 private:
  /// Vectors are zero-padded to avoid remainder loops.
  ACCRETE_HOST_DEVICE static std::size_t padded(std::size_t n) {
    return (n + Vectors::pad_multiple - 1) / Vectors::pad_multiple * Vectors::pad_multiple;
  }

  /// Doubles of workspace for `count` pair values.
  ACCRETE_HOST_DEVICE static std::size_t pair_doubles(std::size_t count) {
    return (count * sizeof(PairValue) + sizeof(double) - 1) / sizeof(double);
  }

  // Workspace layout: two points and two gradients that swap roles, the direction, the pairs (all s, then all y), and
  // two scalars per pair. Addresses are recomputed on use, because a CUDA solver has few registers.
  ACCRETE_HOST_DEVICE double* vector(unsigned index) const { return Vectors::in_fast_memory(workspace_) + index * n_; }
  ACCRETE_HOST_DEVICE double* best_point() const { return vector(point_at_); }
  ACCRETE_HOST_DEVICE double* trial() const { return vector(point_at_ ^ 1); }
  ACCRETE_HOST_DEVICE double* gradient() const { return vector(2 + gradient_at_); }
  ACCRETE_HOST_DEVICE double* trial_gradient() const { return vector(2 + (gradient_at_ ^ 1)); }
  ACCRETE_HOST_DEVICE double* direction() const { return vector(4); }
  ACCRETE_HOST_DEVICE PairValue* pair_s(unsigned slot) const {
    return reinterpret_cast<PairValue*>(vector(5)) + slot * n_;
  }
  ACCRETE_HOST_DEVICE PairValue* pair_y(unsigned slot) const { return pair_s(max_pairs() + slot); }
  /// 1 / (s . y); rho in the book.
  ACCRETE_HOST_DEVICE double* inverse_curvature(unsigned slot) const {
    return vector(5) + static_cast<unsigned>(pair_doubles(2 * max_pairs() * n_)) + slot;
  }
  /// alpha of the first loop, used by the second.
  ACCRETE_HOST_DEVICE double* loop_weight(unsigned slot) const { return inverse_curvature(max_pairs() + slot); }
  ACCRETE_HOST_DEVICE unsigned max_pairs() const { return static_cast<unsigned>(options_->pairs); }

  ACCRETE_HOST_DEVICE bool stop(Reason reason) {
    reason_ = reason;
    return false;
  }

  ACCRETE_HOST_DEVICE bool move_trial() {
    Vectors::add(best_point(), search_.step(), direction(), trial(), n_);
    return true;
  }

  ACCRETE_HOST_DEVICE bool is_flat() const {
    const auto small = [&](double g) { return std::abs(g) <= options_->gradient_tolerance; };
    return options_->gradient_tolerance > 0.0 && std::all_of(gradient(), gradient() + size_, small);
  }

  ACCRETE_HOST_DEVICE bool begin_iteration() {
    const double steepness = Vectors::dot(gradient(), gradient(), n_);
    if (!(steepness > 0.0) || !std::isfinite(value_) || is_flat()) return stop(Reason::flat);
    double slope = 0.0;
    for (;;) {
      slope = find_direction();
      if (slope < 0.0 || pairs_ == 0) break;
      pairs_ = 0;  // round-off: not a descent direction, so restart from steepest descent
    }
    predicted_decrease_ = -slope;
    // Without pairs the curvature is unknown. Initial weights have a magnitude of about 0.3, so the first step has that
    // length; the line search accepts it far more often than the length of the gradient.
    const double first = pairs_ == 0 ? 0.3 / std::sqrt(steepness) : 1.0;
    search_.begin(value_, slope, first, options_->noise * std::abs(value_));
    searching_ = true;
    return move_trial();
  }

  /// Accepts the trial as the current point. Returns false if the solver stops there.
  ACCRETE_HOST_DEVICE bool accept(double value) {
    store_pair();
    const double before = std::exchange(value_, value);
    point_at_ ^= 1;
    gradient_at_ ^= 1;
    ++iterations_;
    if (convergence_.reached(*options_, before, value)) return stop(Reason::converged);
    return iterations_ < options_->max_iterations || stop(Reason::iterations);
  }

  /// After a failed line search along a quasi-Newton direction, retries along the gradient, unless the predicted
  /// decrease is below the rounding noise of the values. Returns false if the solver stops.
  ACCRETE_HOST_DEVICE bool restart() {
    if (pairs_ > 0 && predicted_decrease_ <= 100.0 * options_->noise * std::abs(value_)) return stop(Reason::converged);
    if (pairs_ == 0) return stop(Reason::no_progress);
    pairs_ = 0;
    return true;
  }

  /// Stores s = x' - x and y = g' - g if the pair has positive curvature.
  ACCRETE_HOST_DEVICE void store_pair() {
    const unsigned to = pairs_ == 0 || newest_ + 1 == max_pairs() ? 0 : newest_ + 1;
    Vectors::add(trial(), -1.0, best_point(), pair_s(to), n_);
    const double yy = Vectors::add(trial_gradient(), -1.0, gradient(), pair_y(to), n_);
    const double sy = Vectors::dot(pair_s(to), pair_y(to), n_);
    if (!(sy > 1e-12 * yy)) {               // H would not stay positive definite
      if (pairs_ == max_pairs()) --pairs_;  // overwrites the oldest pair
      return;
    }
    Vectors::set(inverse_curvature(to), 1.0 / sy);
    scale_ = sy / yy;
    newest_ = to;
    pairs_ = std::min(pairs_ + 1, max_pairs());
  }

  /// direction = -H gradient, by the two-loop recursion; returns its slope, gradient . direction. Each pass that
  /// updates the direction also computes the dot product of the next iteration.
  ACCRETE_HOST_DEVICE double find_direction() {
    double* d = direction();
    Vectors::copy(gradient(), d, n_);
    if (pairs_ == 0) {
      Vectors::scale(-1.0, d, n_);
      return Vectors::dot(gradient(), d, n_);
    }
    // The pairs are a ring buffer. No modulo: an integer division takes a GPU a hundred instructions.
    const unsigned n = n_, newest = newest_, slots = max_pairs();
    const auto older = [=](unsigned i) { return i > 0 ? i - 1 : slots - 1; };
    const auto newer = [=](unsigned i) { return i + 1 < slots ? i + 1 : 0; };
    const PairValue *s = pair_s(0), *y = pair_y(0);
    double *rho = inverse_curvature(0), *weights = loop_weight(0);
    double product = Vectors::dot(d, s + newest * n, n);
    unsigned i = newest;
    for (unsigned left = pairs_; left > 0; --left) {
      const double alpha = rho[i] * product;
      Vectors::set(weights + i, alpha);
      const unsigned next = left > 1 ? older(i) : i;
      product = Vectors::axpy_dot(-alpha, y + i * n, d, left > 1 ? s + next * n : y + i * n, n);
      i = next;
    }
    Vectors::scale(-scale_, d, n);  // including the sign, which makes it a descent direction
    product *= -scale_;
    while (i != newest) {
      const double beta = rho[i] * product;
      const unsigned next = newer(i);
      product = Vectors::axpy_dot(-weights[i] - beta, s + i * n, d, y + next * n, n);
      i = next;
    }
    const double beta = rho[newest] * product;
    return Vectors::axpy_dot(-weights[newest] - beta, s + newest * n, d, gradient(), n);
  }

  const SolverOptions* options_;
  double* workspace_;
  unsigned size_, n_;  ///< number of parameters, without and with padding
  unsigned point_at_ = 0, gradient_at_ = 0;
  unsigned pairs_ = 0, newest_ = 0, iterations_ = 0;
  LineSearch search_;
  Convergence convergence_;
  double value_ = 0.0, scale_ = 1.0, predicted_decrease_ = 0.0;
  bool searching_ = false;
  Reason reason_ = Reason::running;
};

}  // namespace accrete::solver
