#include "accrete/backend/output_layer_solver.hpp"

#include <algorithm>

#include "accrete/solver/least_squares.hpp"

namespace accrete::backend {

void OutputLayerSolver::allocate(std::size_t units, std::size_t outputs) {
  units_ = units;
  outputs_ = outputs;
  solution_.resize((units + 1) * outputs);
  normal_.resize((units + 1) * (units + 1));
  right_.resize((units + 1) * outputs);
}

void OutputLayerSolver::solve(std::span<const double> gram, double total_weight, double alpha_over_n) {
  const std::size_t n = units_ + 1, columns = n + outputs_;
  const double scale = 1.0 / total_weight;
  const double ridge = units_ >= solver::min_dependent_units ? solver::dependent_ridge : 0.0;
  for (std::size_t i = 0; i < units_; ++i) {
    const double* row = gram.data() + i * columns;
    for (std::size_t q = i; q < n; ++q) normal_[q * n + i] = row[q] * scale;
    for (std::size_t k = 0; k < outputs_; ++k) right_[i * outputs_ + k] = row[n + k] * scale;
    normal_[i * n + i] += alpha_over_n + ridge * normal_[i * n + i];
  }
  normal_[n * n - 1] = 1.0;
  for (std::size_t k = 0; k < outputs_; ++k) right_[units_ * outputs_ + k] = target_sums_[k] * scale;
  solver::solve_positive(normal_, right_, n, outputs_);
  std::ranges::copy(right_, solution_.begin());
}

double OutputLayerSolver::squared_weights() const {
  double squares = 0.0;
  for (std::size_t i = 0; i < units_ * outputs_; ++i) squares += solution_[i] * solution_[i];
  return squares;
}

}  // namespace accrete::backend
