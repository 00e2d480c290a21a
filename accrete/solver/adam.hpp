#pragma once
// Adam (Kingma and Ba, 2015) with the constants of the paper.

#include <cmath>

#include "accrete/solver/stochastic.hpp"

namespace accrete::solver {

class Adam : public Stochastic<Adam> {
 public:
  static constexpr const char* name = "adam";
  static constexpr const char* summary = "Adam on mini-batches";

  static std::size_t workspace_size(std::size_t n, const SolverOptions&) { return 4 * n; }

  Adam(const SolverOptions& options, std::span<const double> start, std::span<double> workspace)
      : Stochastic(options, start, workspace), mean_(x_ + 2 * n_), square_(x_ + 3 * n_) {}

  void update(const double* gradient) {
    constexpr double b1 = 0.9, b2 = 0.999, tiny = 1e-8;
    power1_ *= b1;
    power2_ *= b2;
    const double rate = options_.rate * std::sqrt(1.0 - power2_) / (1.0 - power1_);
    for (std::size_t i = 0; i < n_; ++i) {
      mean_[i] = b1 * mean_[i] + (1.0 - b1) * gradient[i];
      square_[i] = b2 * square_[i] + (1.0 - b2) * gradient[i] * gradient[i];
      x_[i] -= rate * mean_[i] / (std::sqrt(square_[i]) + tiny);
    }
  }

 private:
  double *mean_, *square_;
  double power1_ = 1.0, power2_ = 1.0;
};

}  // namespace accrete::solver
