#pragma once
// The linear algebra of the solvers as a policy; a CUDA warp provides its own.

#include <algorithm>
#include <cstddef>

namespace accrete::solver {

/// SIMD on the host, compiled once per instruction set. n must be a multiple of `pad_multiple`; callers pad with zeros.
struct HostVectors {
  static constexpr std::size_t pad_multiple = 8;
  using PairValue = double;  ///< element type of the stored L-BFGS pairs

  static double dot(const double* a, const double* b, std::size_t n);
  /// y += a x; returns dot(y, z). Fused, because every update of an L-BFGS direction is followed by a dot product.
  static double axpy_dot(double a, const double* x, double* y, const double* z, std::size_t n);
  /// z = x + a y; returns dot(z, z)
  static double add(const double* x, double a, const double* y, double* z, std::size_t n);
  static void scale(double a, double* x, std::size_t n);
  static void copy(const double* x, double* y, std::size_t n);
  static void clear(double* x, std::size_t n) { std::fill_n(x, n, 0.0); }
  /// Stores a scalar and makes it visible to all threads that run the solver together.
  static void set(double* at, double value) { *at = value; }
  /// The same address, in the address space that is fastest to access (CUDA shared memory).
  static double* in_fast_memory(double* at) { return at; }
};

/// Stores the L-BFGS pairs in float, in half the memory. They only shape the direction: points, gradients and sums stay
/// double.
struct FloatPairVectors : HostVectors {
  using PairValue = float;
  using HostVectors::add, HostVectors::axpy_dot, HostVectors::dot;

  static double dot(const double* a, const float* b, std::size_t n);
  static double dot(const float* a, const float* b, std::size_t n);
  static double axpy_dot(double a, const float* x, double* y, const double* z, std::size_t n);
  static double axpy_dot(double a, const float* x, double* y, const float* z, std::size_t n);
  static double add(const double* x, double a, const double* y, float* z, std::size_t n);
};

/// From this many parameters on, pairs of doubles exceed the L2 cache.
inline constexpr std::size_t min_float_pair_size = 4096;

}  // namespace accrete::solver
