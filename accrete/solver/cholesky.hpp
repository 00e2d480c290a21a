#pragma once
// Elimination in a symmetric matrix, row by row of its upper triangle: neighbouring numbers are changed alike, so that
// the compiler makes vectors of them. For the tens of weights of a small step; solve_positive is for a few.

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace accrete::solver {

/// Eliminates the first `count` of n rows. They become rows of U, where U^T U is the matrix; the others become what is
/// left of the matrix when the first are solved for (their Schur complement). Only the upper triangle is read or
/// written. A row that depends on those before it, to rounding, is left out: its row of U is 0 but for the pivot.
inline void eliminate(double* matrix, std::size_t n, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) {
    double* row = matrix + k * n;
    double before = 0.0;  // what the diagonal was, from the parts taken off it
    for (std::size_t i = 0; i < k; ++i) before += matrix[i * n + k] * matrix[i * n + k];
    const bool depends = !(row[k] > 1e-12 * (row[k] + before));
    const double inverse = depends ? 0.0 : 1.0 / std::sqrt(row[k]);
    row[k] = depends ? 1.0 : std::sqrt(row[k]);
    for (std::size_t j = k + 1; j < n; ++j) row[j] *= inverse;
    if (depends) continue;
    for (std::size_t i = k + 1; i < n; ++i) {
      const double by = row[i];
      double* __restrict to = matrix + i * n;
      const double* __restrict from = row;
      for (std::size_t j = i; j < n; ++j) to[j] -= by * from[j];
    }
  }
}

/// Solves U^T U x = x in place, U from eliminate(matrix, n, n).
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
