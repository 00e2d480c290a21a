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
    return 5 * padded(n) + kept(2 * options.pairs * padded(n)) + 2 * options.pairs;
  }

  /// The options and the workspace are not copied.
  ACCRETE_ANYWHERE Lbfgs(const Options& options, std::span<const double> start, std::span<double> workspace)
      : options_(&options),
        workspace_(workspace.data()),
        size_(static_cast<unsigned>(start.size())),
        n_(static_cast<unsigned>(padded(size_))) {
    for (unsigned place = 0; place < 5; ++place) Vectors::clear(vector(place), n_);
    Vectors::copy(start.data(), best_point(), size_);
    Vectors::copy(start.data(), trial(), size_);
  }

  ACCRETE_ANYWHERE std::span<const double> point() const { return {trial(), size_}; }
  Batch batch() const { return {}; }
  ACCRETE_ANYWHERE std::span<const double> best() const { return {best_point(), size_}; }
  ACCRETE_ANYWHERE double value() const { return value_; }
  Reason reason() const { return reason_; }
  std::size_t iterations() const { return iterations_; }

  /// Told value and gradient at point(); true: evaluate at the new point().
  ACCRETE_ANYWHERE bool tell(double value, std::span<const double> gradient) {
    Vectors::copy(gradient.data(), told(), size_);
    if (iterations_ == 0 && !searching_) {
      value_ = first_ = value;
      gradient_at_ ^= 1;
    } else {
      const auto answer = search_.tell(value, Vectors::dot(told(), direction(), n_));
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

  // The workspace: two points and two gradients that change places, the direction, the pairs, and two numbers of each.
  // Addresses are worked out when they are needed: a solver on a GPU has few registers.
  ACCRETE_ANYWHERE double* vector(unsigned place) const { return Vectors::near(workspace_) + place * n_; }
  ACCRETE_ANYWHERE double* best_point() const { return vector(point_at_); }
  ACCRETE_ANYWHERE double* trial() const { return vector(point_at_ ^ 1); }
  ACCRETE_ANYWHERE double* gradient() const { return vector(2 + gradient_at_); }
  ACCRETE_ANYWHERE double* told() const { return vector(2 + (gradient_at_ ^ 1)); }
  ACCRETE_ANYWHERE double* direction() const { return vector(4); }
  ACCRETE_ANYWHERE Kept* move(unsigned slot) const { return reinterpret_cast<Kept*>(vector(5)) + slot * n_; }
  ACCRETE_ANYWHERE Kept* change(unsigned slot) const { return move(pairs_kept() + slot); }
  ACCRETE_ANYWHERE double* curvature(unsigned slot) const {
    return vector(5) + static_cast<unsigned>(kept(2 * pairs_kept() * n_)) + slot;
  }
  ACCRETE_ANYWHERE double* weight(unsigned slot) const { return curvature(pairs_kept() + slot); }
  ACCRETE_ANYWHERE unsigned pairs_kept() const { return static_cast<unsigned>(options_->pairs); }

  ACCRETE_ANYWHERE bool stop(Reason reason) {
    reason_ = reason;
    return false;
  }

  ACCRETE_ANYWHERE bool move_trial() {
    Vectors::add(best_point(), search_.step(), direction(), trial(), n_);
    return true;
  }

  ACCRETE_ANYWHERE bool is_flat() const {
    const auto small = [&](double g) { return std::abs(g) <= options_->gradient_tolerance; };
    return options_->gradient_tolerance > 0.0 && std::all_of(gradient(), gradient() + size_, small);
  }

  ACCRETE_ANYWHERE bool begin_iteration() {
    const double steepness = Vectors::dot(gradient(), gradient(), n_);
    if (!(steepness > 0.0) || !std::isfinite(value_) || is_flat()) return stop(Reason::flat);
    double slope = 0.0;
    for (;;) {
      slope = find_direction();
      if (slope < 0.0 || pairs_ == 0) break;
      pairs_ = 0;  // rounding has spoilt the pairs: start again from steepest descent
    }
    hope_ = -slope;
    // Without a pair nothing is known of the curvature; weights start at about a third of 1, so the first move is that
    // long. It is right at once far more often than a move as long as the gradient.
    const double first = pairs_ == 0 ? 0.3 / std::sqrt(steepness) : 1.0;
    search_.begin(value_, slope, first, options_->noise * std::abs(value_));
    searching_ = true;
    return move_trial();
  }

  /// The trial is the new point. Whether to go on from it.
  ACCRETE_ANYWHERE bool accept(double value) {
    remember();
    const double before = std::exchange(value_, value);
    point_at_ ^= 1;
    gradient_at_ ^= 1;
    ++iterations_;
    const double size = std::max({std::abs(before), std::abs(value), options_->floor});
    if (before - value <= options_->tolerance * size) return stop(Reason::converged);
    slow_ = before - value <= options_->gain_tolerance * (first_ - value) ? slow_ + 1 : 0;
    if (options_->gain_tolerance > 0.0 && slow_ == 3) return stop(Reason::converged);
    return iterations_ < options_->max_iterations || stop(Reason::iterations);
  }

  /// A failed search along a quasi-Newton direction is tried once more along the gradient itself, unless a whole
  /// quasi-Newton step promised less than values can show. Whether to do so.
  ACCRETE_ANYWHERE bool restart() {
    if (pairs_ > 0 && hope_ <= 100.0 * options_->noise * std::abs(value_)) return stop(Reason::converged);
    if (pairs_ == 0) return stop(Reason::no_progress);
    pairs_ = 0;
    return true;
  }

  /// Keeps s = x' - x and y = g' - g, if the pair has positive curvature.
  ACCRETE_ANYWHERE void remember() {
    const unsigned to = pairs_ == 0 || newest_ + 1 == pairs_kept() ? 0 : newest_ + 1;
    Vectors::add(trial(), -1.0, best_point(), move(to), n_);
    const double yy = Vectors::add(told(), -1.0, gradient(), change(to), n_);
    const double sy = Vectors::dot(move(to), change(to), n_);
    if (!(sy > 1e-12 * yy)) {                // the guard: a pair without curvature would break the metric
      if (pairs_ == pairs_kept()) --pairs_;  // its place was the oldest pair's, which is gone
      return;
    }
    Vectors::set(curvature(to), 1.0 / sy);
    scale_ = sy / yy;
    newest_ = to;
    pairs_ = std::min(pairs_ + 1, pairs_kept());
  }

  /// direction = -H gradient, by the two-loop recursion; returns its slope, gradient . direction. Each product a loop
  /// needs next is taken in the pass that moves the direction.
  ACCRETE_ANYWHERE double find_direction() {
    double* d = direction();
    Vectors::copy(gradient(), d, n_);
    if (pairs_ == 0) {
      Vectors::scale(-1.0, d, n_);
      return Vectors::dot(gradient(), d, n_);
    }
    // Pairs lie in a ring. No remainders: a division of whole numbers takes a GPU a hundred instructions.
    const unsigned n = n_, newest = newest_, places = pairs_kept();
    const auto older = [=](unsigned i) { return i > 0 ? i - 1 : places - 1; };
    const auto newer = [=](unsigned i) { return i + 1 < places ? i + 1 : 0; };
    const Kept *s = move(0), *y = change(0);
    double *curvatures = curvature(0), *weights = weight(0);
    double product = Vectors::dot(d, s + newest * n, n);
    unsigned i = newest;
    for (unsigned left = pairs_; left > 0; --left) {
      const double by = curvatures[i] * product;
      Vectors::set(weights + i, by);
      const unsigned next = left > 1 ? older(i) : i;
      product = Vectors::axpy_dot(-by, y + i * n, d, left > 1 ? s + next * n : y + i * n, n);
      i = next;
    }
    Vectors::scale(-scale_, d, n);  // the sign too: from here on the direction goes downhill
    product *= -scale_;
    while (i != newest) {
      const double beta = curvatures[i] * product;
      const unsigned next = newer(i);
      product = Vectors::axpy_dot(-weights[i] - beta, s + i * n, d, y + next * n, n);
      i = next;
    }
    const double beta = curvatures[newest] * product;
    return Vectors::axpy_dot(-weights[newest] - beta, s + newest * n, d, gradient(), n);
  }

  const Options* options_;
  double* workspace_;
  unsigned size_, n_;  ///< parameters, and with padding
  unsigned point_at_ = 0, gradient_at_ = 0;
  unsigned pairs_ = 0, newest_ = 0, iterations_ = 0;
  unsigned slow_ = 0;  ///< iterations in a row that brought little
  LineSearch search_;
  double value_ = 0.0, first_ = 0.0, scale_ = 1.0, hope_ = 0.0;
  bool searching_ = false;
  Reason reason_ = Reason::running;
};

}  // namespace accrete::solver
