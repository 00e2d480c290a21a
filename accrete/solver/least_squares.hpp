#pragma once
// Solves the small symmetric systems of the projected objective's output layer.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "accrete/core/inline.hpp"

namespace accrete::solver {

/// If a step has at least min_dependent_units units, the diagonal is increased by this relative amount: many units on a
/// few columns are nearly linearly dependent, and without it only round-off would bound their weights.
inline constexpr std::size_t min_dependent_units = 8;
inline constexpr double dependent_ridge = 1e-5;

/// Solves gram * X = right in place. gram is n x n; only its lower triangle is read, and overwritten. right is n x
/// columns. Pivots are bounded from below, so that linearly dependent units do not make it fail.
ACCRETE_HOST_DEVICE inline void solve_positive(std::span<double> gram, std::span<double> right, std::size_t n,
                                               std::size_t columns) {
  double largest = 0.0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, gram[i * n + i]);
  const double floor = std::max(largest, 1e-300) * 1e-12;
  // Cholesky: gram = L L^T, L in the lower triangle.
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = gram[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= gram[i * n + k] * gram[j * n + k];
      gram[i * n + j] = i == j ? std::sqrt(std::max(sum, floor)) : sum / gram[j * n + j];
    }
  for (std::size_t c = 0; c < columns; ++c) {
    auto x = [&](std::size_t i) -> double& { return right[i * columns + c]; };
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < i; ++k) x(i) -= gram[i * n + k] * x(k);
      x(i) /= gram[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = i + 1; k < n; ++k) x(i) -= gram[k * n + i] * x(k);
      x(i) /= gram[i * n + i];
    }
  }
}

}  // namespace accrete::solver
