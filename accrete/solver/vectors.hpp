#pragma once
// All the linear algebra a solver needs. Another machine (a thread block of a GPU) brings another policy.

#include <cstddef>

#include "accrete/core/inline.hpp"

namespace accrete::solver {

struct HostVectors {
  ACCRETE_INLINE static double dot(const double* a, const double* b, std::size_t n) {
    // Four partial sums: the compiler may not reorder one, and a chain of dependent additions is slow.
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4) {
      s0 += a[i] * b[i];
      s1 += a[i + 1] * b[i + 1];
      s2 += a[i + 2] * b[i + 2];
      s3 += a[i + 3] * b[i + 3];
    }
    for (; i < n; ++i) s0 += a[i] * b[i];
    return (s0 + s1) + (s2 + s3);
  }
  /// y += a x
  ACCRETE_INLINE static void axpy(double a, const double* x, double* y, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) y[i] += a * x[i];
  }
  /// z = x + a y
  ACCRETE_INLINE static void add(const double* x, double a, const double* y, double* z, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) z[i] = x[i] + a * y[i];
  }
  ACCRETE_INLINE static void scale(double a, double* x, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) x[i] *= a;
  }
  ACCRETE_INLINE static void copy(const double* x, double* y, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) y[i] = x[i];
  }
};

}  // namespace accrete::solver
