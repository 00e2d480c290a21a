#pragma once
// All the linear algebra a solver needs. Another machine (a thread block of a GPU) brings another policy.

#include <algorithm>
#include <cstddef>

namespace accrete::solver {

/// This machine's vector units; compiled once per instruction set. n is a multiple of `run`: who uses it pads with
/// zeros.
struct HostVectors {
  static constexpr std::size_t run = 8;
  using Kept = double;  ///< a number of an L-BFGS pair

  static double dot(const double* a, const double* b, std::size_t n);
  /// y += a x; returns dot(y, z), which an L-BFGS direction always wants next
  static double axpy_dot(double a, const double* x, double* y, const double* z, std::size_t n);
  /// z = x + a y; returns dot(z, z)
  static double add(const double* x, double a, const double* y, double* z, std::size_t n);
  static void scale(double a, double* x, std::size_t n);
  static void copy(const double* x, double* y, std::size_t n);
  static void clear(double* x, std::size_t n) { std::fill_n(x, n, 0.0); }
  /// A single number, which may be read afterwards by all that run the solver together.
  static void set(double* at, double value) { *at = value; }
  /// The same address, in the form that this machine reaches soonest.
  static double* near(double* at) { return at; }
};

}  // namespace accrete::solver
