#pragma once
// The output layer of the projected objective: the least squares solution for a fixed hidden layer, by normal
// equations.

#include <cstddef>
#include <span>
#include <vector>

namespace accrete::backend {

class OutputLayerSolver {
 public:
  /// solve does not allocate.
  void allocate(std::size_t units, std::size_t outputs);

  /// The weighted sum of each target, which is the right-hand side for the output bias.
  void set_target_sums(std::span<const double> sums) { target_sums_.assign(sums.begin(), sums.end()); }

  /// gram: what project_chunk writes, summed over all chunks; it and the target sums are divided by total_weight.
  void solve(std::span<const double> gram, double total_weight, double alpha_over_n);

  std::span<const double> solution() const { return solution_; }  ///< (units + 1) x outputs; the last row is the bias
  double squared_weights() const;                                 ///< sum of the squared weights, without the bias

 private:
  std::size_t units_ = 0, outputs_ = 0;
  std::vector<double> target_sums_, solution_;
  std::vector<double> normal_, right_;  ///< the matrix and the right-hand sides
};

}  // namespace accrete::backend
