#pragma once
// The linear algebra of a solver that a whole block runs: with a number to a thread a vector of a few hundred is done
// at once, where a warp would go over it several times.

#include "accrete/backend/cuda/team.cuh"

namespace accrete::cuda {

/// The policy for solver::Lbfgs: element i belongs to thread i % threads, so that no thread reads what another has
/// written. Every thread gets the same sums.
template <unsigned warps>
struct BlockVectors : WarpVectorsLayout {
  static constexpr unsigned threads = warps * warp_lanes;

  /// f(i) for this thread's elements; the sum of what it gives, over all.
  template <class F>
  __device__ static double sum_of(unsigned n, F f) {
    double sum = 0.0;
#pragma unroll 1
    for (unsigned i = threadIdx.x; i < n; i += threads) sum += f(i);
    return block_sum<warps>(sum);
  }
  template <class A, class B>
  __device__ static double dot(const A* a, const B* b, unsigned n) {
    return sum_of(n, [=](unsigned i) { return double(a[i]) * double(b[i]); });
  }
  template <class Z>
  __device__ static double axpy_dot(double a, const Kept* x, double* y, const Z* z, unsigned n) {
    return sum_of(n, [=](unsigned i) { return (y[i] += a * double(x[i])) * double(z[i]); });
  }
  template <class Z>
  __device__ static double add(const double* x, double a, const double* y, Z* z, unsigned n) {
    return sum_of(n, [=](unsigned i) {
      const double moved = x[i] + a * y[i];
      z[i] = static_cast<Z>(moved);
      return moved * moved;
    });
  }
  __device__ static void scale(double a, double* x, unsigned n) {
    for (unsigned i = threadIdx.x; i < n; i += threads) x[i] *= a;
  }
  __device__ static void copy(const double* x, double* y, unsigned n) {
    for (unsigned i = threadIdx.x; i < n; i += threads) y[i] = x[i];
  }
  __device__ static void clear(double* x, unsigned n) {
    for (unsigned i = threadIdx.x; i < n; i += threads) x[i] = 0.0;
  }
  __device__ static void set(double* at, double value) {
    if (threadIdx.x == 0) *at = value;
    meet<warps>();
  }
  __device__ static double* near(double* at) { return at; }
};

}  // namespace accrete::cuda
