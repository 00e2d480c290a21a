#pragma once
// What Adam and SGD share: epochs of mini-batches, and when to stop. The rule for one update is the derived class's.

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "accrete/solver/problem.hpp"

namespace accrete::solver {

/// Self has update(const double* gradient): moves x_ by one mini-batch's gradient. Its own memory starts at x_ + 2 n_.
template <class Self>
class Stochastic {
 public:
  static constexpr bool stochastic = true;

  std::span<const double> point() const { return {x_, n_}; }
  Batch batch() const { return {false, epoch_, index_}; }
  std::span<const double> best() const { return {x_, n_}; }
  double value() const { return last_; }
  Reason reason() const { return reason_; }
  std::size_t iterations() const { return epoch_; }

  bool tell(double value, std::span<const double> gradient) {
    bool finite = std::isfinite(value);
    for (std::size_t i = 0; i < n_ && finite; ++i) finite = std::isfinite(gradient[i]);
    if (!finite) return retreat();
    sum_ += value;
    static_cast<Self*>(this)->update(gradient.data());
    if (++index_ < options_.batches) return true;
    return end_epoch();
  }

 protected:
  Stochastic(const Options& options, std::span<const double> start, std::span<double> workspace)
      : options_(options), n_(start.size()), x_(workspace.data()), kept_(x_ + n_) {
    for (std::size_t i = 0; i < workspace.size(); ++i) workspace[i] = i < 2 * n_ ? start[i % n_] : 0.0;
  }

  /// Whether to go on with shorter steps where the last ones have stopped to help; a solver that can hides it.
  bool slow_down() { return false; }

  bool end_epoch() {
    last_ = sum_ / static_cast<double>(options_.batches);
    sum_ = 0.0;
    index_ = 0;
    ++epoch_;
    idle_ = last_ > best_ - options_.tolerance ? idle_ + 1 : 0;
    if (last_ < best_) {
      best_ = last_;
      std::copy_n(x_, n_, kept_);
    }
    if (idle_ > options_.patience && static_cast<Self*>(this)->slow_down()) idle_ = 0;
    if (idle_ > options_.patience)
      reason_ = Reason::converged;
    else if (epoch_ >= options_.max_iterations)
      reason_ = Reason::iterations;
    return reason_ == Reason::running;
  }

  Options options_;
  std::size_t n_;
  double* x_;

 private:
  /// Too long a step has left the region where there are numbers: back to the end of the best epoch, or the start.
  bool retreat() {
    std::copy_n(kept_, n_, x_);
    last_ = best_;
    reason_ = Reason::no_progress;
    return false;
  }

  double* kept_;
  std::size_t epoch_ = 0, index_ = 0, idle_ = 0;
  double sum_ = 0.0, last_ = 0.0, best_ = std::numeric_limits<double>::infinity();
  Reason reason_ = Reason::running;
};

}  // namespace accrete::solver
