#pragma once
// L-BFGS: a quasi-Newton direction from the last few steps, then a strong Wolfe line search.
// Nocedal and Wright, Numerical Optimization, algorithm 7.4 (two-loop recursion) and 7.5.

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "accrete/core/inline.hpp"
#include "accrete/solver/line_search.hpp"
#include "accrete/solver/problem.hpp"
#include "accrete/solver/vectors.hpp"

namespace accrete::solver {

template <class Vectors = HostVectors>
class Lbfgs {
  using Kept = typename Vectors::Kept;  ///< how the numbers of a pair are stored

 public:
  static constexpr const char* name = "lbfgs";
  static constexpr const char* summary = "quasi-Newton on all rows with a strong Wolfe line search";
  static constexpr bool stochastic = false;

  ACCRETE_ANYWHERE static std::size_t workspace_size(std::size_t n, const Options& options) {
    return 5 * padded(n) + 2 * kept(options.pairs * padded(n)) + 2 * options.pairs;
  }

  ACCRETE_ANYWHERE Lbfgs(const Options& options, std::span<const double> start, std::span<double> workspace)
      : options_(options), size_(start.size()), n_(padded(size_)) {
    double* next = workspace.data();
    Vectors::clear(next, 5 * n_);
    auto take = [&](std::size_t count) { return std::exchange(next, next + count); };
    x_ = take(n_), gradient_ = take(n_), trial_ = take(n_), direction_ = take(n_), told_ = take(n_);
    moves_ = reinterpret_cast<Kept*>(take(kept(options.pairs * n_)));
    changes_ = reinterpret_cast<Kept*>(take(kept(options.pairs * n_)));
    curvature_ = take(options.pairs), weight_ = take(options.pairs);
    Vectors::copy(start.data(), x_, size_);
    Vectors::copy(start.data(), trial_, size_);
  }

  ACCRETE_ANYWHERE std::span<const double> point() const { return {trial_, size_}; }
  Batch batch() const { return {}; }
  ACCRETE_ANYWHERE std::span<const double> best() const { return {x_, size_}; }
  ACCRETE_ANYWHERE double value() const { return value_; }
  Reason reason() const { return reason_; }
  std::size_t iterations() const { return iterations_; }

  /// Told value and gradient at point(); true: evaluate at the new point().
  ACCRETE_ANYWHERE bool tell(double value, std::span<const double> gradient) {
    Vectors::copy(gradient.data(), told_, size_);
    if (iterations_ == 0 && !searching_) {
      value_ = value;
      std::swap(gradient_, told_);
    } else {
      const auto answer = search_.tell(value, Vectors::dot(told_, direction_, n_));
      if (answer == LineSearch::Answer::evaluate) return move_trial();
      if (!(answer == LineSearch::Answer::accept ? accept(value) : restart())) return false;
    }
    return begin_iteration();
  }

 private:
  /// Vectors are zero beyond n, so that no operation has a remainder.
  ACCRETE_ANYWHERE static std::size_t padded(std::size_t n) {
    return (n + Vectors::run - 1) / Vectors::run * Vectors::run;
  }

  /// Room for so many numbers of pairs, in doubles.
  ACCRETE_ANYWHERE static std::size_t kept(std::size_t count) {
    return (count * sizeof(Kept) + sizeof(double) - 1) / sizeof(double);
  }

  ACCRETE_ANYWHERE bool stop(Reason reason) {
    reason_ = reason;
    return false;
  }

  ACCRETE_ANYWHERE bool move_trial() {
    Vectors::add(x_, search_.step(), direction_, trial_, n_);
    return true;
  }

  ACCRETE_ANYWHERE bool is_flat() const {
    const auto small = [&](double g) { return std::abs(g) <= options_.gradient_tolerance; };
    return options_.gradient_tolerance > 0.0 && std::all_of(gradient_, gradient_ + size_, small);
  }

  ACCRETE_ANYWHERE bool begin_iteration() {
    const double steepness = Vectors::dot(gradient_, gradient_, n_);
    if (!(steepness > 0.0) || !std::isfinite(value_) || is_flat()) return stop(Reason::flat);
    double slope;
    while (!((slope = find_direction()) < 0.0) && pairs_ > 0)
      pairs_ = 0;  // rounding has spoilt the pairs: start again from steepest descent
    hope_ = -slope;
    // Without a pair nothing is known of the curvature; weights start at about a third of 1, so the first move is that
    // long. It is right at once far more often than a move as long as the gradient.
    const double first = pairs_ == 0 ? 0.3 / std::sqrt(steepness) : 1.0;
    search_.begin(value_, slope, first, options_.noise * std::abs(value_));
    searching_ = true;
    return move_trial();
  }

  /// The trial is the new point. Whether to go on from it.
  ACCRETE_ANYWHERE bool accept(double value) {
    remember();
    const double before = std::exchange(value_, value);
    std::swap(trial_, x_);
    std::swap(gradient_, told_);
    ++iterations_;
    const double size = std::max({std::abs(before), std::abs(value), options_.floor});
    if (before - value <= options_.tolerance * size) return stop(Reason::converged);
    return iterations_ < options_.max_iterations || stop(Reason::iterations);
  }

  /// A failed search along a quasi-Newton direction is tried once more along the gradient itself, unless a whole
  /// quasi-Newton step promised less than values can show. Whether to do so.
  ACCRETE_ANYWHERE bool restart() {
    if (pairs_ > 0 && hope_ <= 100.0 * options_.noise * std::abs(value_)) return stop(Reason::converged);
    if (pairs_ == 0) return stop(Reason::no_progress);
    pairs_ = 0;
    return true;
  }

  /// Where the pair of that age lies. No remainder: a division of whole numbers takes a GPU a hundred instructions.
  ACCRETE_ANYWHERE std::size_t slot(std::size_t age) const {
    return newest_ >= age ? newest_ - age : newest_ + options_.pairs - age;
  }

  /// Keeps s = x' - x and y = g' - g, if the pair has positive curvature.
  ACCRETE_ANYWHERE void remember() {
    const std::size_t to = pairs_ == 0 || newest_ + 1 == options_.pairs ? 0 : newest_ + 1;
    Kept* s = moves_ + to * n_;
    Kept* y = changes_ + to * n_;
    Vectors::add(trial_, -1.0, x_, s, n_);
    const double yy = Vectors::add(told_, -1.0, gradient_, y, n_);
    const double sy = Vectors::dot(s, y, n_);
    if (!(sy > 1e-12 * yy)) {                  // the guard: a pair without curvature would break the metric
      if (pairs_ == options_.pairs) --pairs_;  // its place was the oldest pair's, which is gone
      return;
    }
    Vectors::set(curvature_ + to, 1.0 / sy);
    scale_ = sy / yy;
    newest_ = to;
    pairs_ = std::min(pairs_ + 1, options_.pairs);
  }

  /// direction = -H gradient, by the two-loop recursion; returns its slope, gradient . direction. Each product a loop
  /// needs next is taken in the pass that moves the direction.
  ACCRETE_ANYWHERE double find_direction() {
    Vectors::copy(gradient_, direction_, n_);
    if (pairs_ == 0) {
      Vectors::scale(-1.0, direction_, n_);
      return Vectors::dot(gradient_, direction_, n_);
    }
    double product = Vectors::dot(direction_, moves_ + slot(0) * n_, n_);
    for (std::size_t age = 0; age < pairs_; ++age) {
      const std::size_t i = slot(age);
      const double weight = curvature_[i] * product;
      Vectors::set(weight_ + i, weight);
      const Kept* next = age + 1 < pairs_ ? moves_ + slot(age + 1) * n_ : changes_ + i * n_;
      product = Vectors::axpy_dot(-weight, changes_ + i * n_, direction_, next, n_);
    }
    Vectors::scale(-scale_, direction_, n_);  // the sign too: from here on the direction goes downhill
    product *= -scale_;
    for (std::size_t age = pairs_; --age > 0;) {
      const std::size_t i = slot(age);
      const double beta = curvature_[i] * product;
      product = Vectors::axpy_dot(-weight_[i] - beta, moves_ + i * n_, direction_, changes_ + slot(age - 1) * n_, n_);
    }
    const double beta = curvature_[newest_] * product;
    return Vectors::axpy_dot(-weight_[newest_] - beta, moves_ + newest_ * n_, direction_, gradient_, n_);
  }

  Options options_;
  std::size_t size_, n_;  ///< parameters, and with padding
  double *x_, *gradient_, *trial_, *direction_, *told_, *curvature_, *weight_;
  Kept *moves_, *changes_;
  LineSearch search_;
  double value_ = 0.0, scale_ = 1.0, hope_ = 0.0;
  std::size_t pairs_ = 0, newest_ = 0, iterations_ = 0;
  bool searching_ = false;
  Reason reason_ = Reason::running;
};

}  // namespace accrete::solver
