#pragma once
// CRTP base of Adam and SGD: epochs of mini-batches and the stopping rule. The derived class implements the update.

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "accrete/solver/problem.hpp"

namespace accrete::solver {

/// Self::update(const double* gradient) moves x_ by the gradient of one mini-batch. Workspace from x_ + 2 n_ on belongs
/// to Self.
template <class Self>
class Stochastic {
 public:
  static constexpr bool stochastic = true;

  std::span<const double> point() const { return {x_, n_}; }
  MiniBatch batch() const { return {false, epoch_, index_}; }
  std::span<const double> best() const { return {x_, n_}; }
  double value() const { return last_; }
  Reason reason() const { return reason_; }
  std::size_t iterations() const { return epoch_; }

  bool tell(double value, std::span<const double> gradient) {
    bool finite = std::isfinite(value);
    for (std::size_t i = 0; i < n_ && finite; ++i) finite = std::isfinite(gradient[i]);
    if (!finite) return restore_best();
    sum_ += value;
    static_cast<Self*>(this)->update(gradient.data());
    if (++index_ < options_.batches) return true;
    return end_epoch();
  }

 protected:
  Stochastic(const SolverOptions& options, std::span<const double> start, std::span<double> workspace)
      : options_(options), n_(start.size()), x_(workspace.data()), best_point_(x_ + n_) {
    for (std::size_t i = 0; i < workspace.size(); ++i) workspace[i] = i < 2 * n_ ? start[i % n_] : 0.0;
  }

  /// Called when patience runs out; returns true to continue at a lower rate. Self may redeclare it.
  bool lower_rate() { return false; }

  bool end_epoch() {
    last_ = sum_ / static_cast<double>(options_.batches);
    sum_ = 0.0;
    index_ = 0;
    ++epoch_;
    idle_ = last_ > best_ - options_.tolerance ? idle_ + 1 : 0;
    if (last_ < best_) {
      best_ = last_;
      std::copy_n(x_, n_, best_point_);
    }
    if (idle_ > options_.patience && static_cast<Self*>(this)->lower_rate()) idle_ = 0;
    if (idle_ > options_.patience)
      reason_ = Reason::converged;
    else if (epoch_ >= options_.max_iterations)
      reason_ = Reason::iterations;
    return reason_ == Reason::running;
  }

  SolverOptions options_;
  std::size_t n_;
  double* x_;

 private:
  /// After a non-finite value: returns to the end of the best epoch (or the start) and stops.
  bool restore_best() {
    std::copy_n(best_point_, n_, x_);
    last_ = best_;
    reason_ = Reason::no_progress;
    return false;
  }

  double* best_point_;
  std::size_t epoch_ = 0, index_ = 0, idle_ = 0;
  double sum_ = 0.0, last_ = 0.0, best_ = std::numeric_limits<double>::infinity();
  Reason reason_ = Reason::running;
};

}  // namespace accrete::solver
