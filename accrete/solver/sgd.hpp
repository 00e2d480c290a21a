#pragma once
// Stochastic gradient descent with Nesterov momentum. The rate is constant, or adaptive: reduced when progress stalls.

#include "accrete/solver/stochastic.hpp"

namespace accrete::solver {

class Sgd : public Stochastic<Sgd> {
 public:
  static constexpr const char* name = "sgd";
  static constexpr const char* summary = "stochastic gradient descent with Nesterov momentum on mini-batches";

  static std::size_t workspace_size(std::size_t n, const SolverOptions&) { return 3 * n; }

  Sgd(const SolverOptions& options, std::span<const double> start, std::span<double> workspace)
      : Stochastic(options, start, workspace), velocity_(x_ + 2 * n_) {}

  void update(const double* gradient) {
    const double m = options_.momentum;
    for (std::size_t i = 0; i < n_; ++i) {
      velocity_[i] = m * velocity_[i] - options_.rate * gradient[i];
      x_[i] += m * velocity_[i] - options_.rate * gradient[i];
    }
  }

  bool lower_rate() {
    if (!options_.adaptive || options_.rate <= 1e-6) return false;
    options_.rate /= 5.0;
    return true;
  }

 private:
  double* velocity_;
};

}  // namespace accrete::solver
