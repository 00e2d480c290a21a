#pragma once
// Cholesky factorisation of a symmetric matrix by rows of its upper triangle: the inner loops are contiguous, so the
// compiler vectorises them. Meant for tens of weights; solve_positive (least_squares.hpp) is for a few.

#include <cmath>
#include <cstddef>

namespace accrete::solver {

/// Eliminates the first `count` of n rows: they become rows of U with U^T U = matrix, and the remaining rows become
/// their Schur complement. Reads and writes only the upper triangle. Skips rows that depend linearly on earlier rows,
/// up to round-off: such a row of U is 0 except for a pivot of 1.
inline void eliminate(double* matrix, std::size_t n, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) {
    double* row = matrix + k * n;
    double eliminated = 0.0;  // total that earlier rows subtracted from the diagonal
    for (std::size_t i = 0; i < k; ++i) eliminated += matrix[i * n + k] * matrix[i * n + k];
    const bool dependent = !(row[k] > 1e-12 * (row[k] + eliminated));
    const double inverse = dependent ? 0.0 : 1.0 / std::sqrt(row[k]);
    row[k] = dependent ? 1.0 : std::sqrt(row[k]);
    for (std::size_t j = k + 1; j < n; ++j) row[j] *= inverse;
    if (dependent) continue;
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = row[i];
      double* __restrict to = matrix + i * n;
      const double* __restrict from = row;
      for (std::size_t j = i; j < n; ++j) to[j] -= factor * from[j];
    }
  }
}

/// Solves U^T U x = b in place (x holds b on entry), with U from eliminate(matrix, n, n).
inline void solve_eliminated(const double* upper, std::size_t n, double* x) {
  for (std::size_t i = 0; i < n; ++i) {
    x[i] /= upper[i * n + i];
    for (std::size_t j = i + 1; j < n; ++j) x[j] -= upper[i * n + j] * x[i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) x[i] -= upper[i * n + j] * x[j];
    x[i] /= upper[i * n + i];
  }
}

}  // namespace accrete::solver
