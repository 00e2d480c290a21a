#pragma once
// The linear algebra of a solver that has a multiprocessor to itself while it solves: still one warp, which needs no
// barrier, but one that has several numbers of a vector on their way at once, where WarpVectors has one and the other
// fits beside it fill the time.

#include "accrete/backend/cuda/warp.cuh"

namespace accrete::cuda {

/// The policy for solver::Lbfgs: element i belongs to lane i % 32, as with WarpVectors.
struct WideVectors : WideVectorsLayout {
  static constexpr unsigned some = run / warp_lanes;

  /// This lane's numbers of a run, all of them loaded before any is used.
  template <class T>
  struct Numbers {
    T of[some];

    __device__ explicit Numbers(const T* from) {
#pragma unroll
      for (unsigned u = 0; u < some; ++u) of[u] = from[u * warp_lanes];
    }
    __device__ void store(T* to) const {
#pragma unroll
      for (unsigned u = 0; u < some; ++u) to[u * warp_lanes] = of[u];
    }
  };

  /// f(i) for each run of n, at this lane's first number of it.
  template <class F>
  __device__ static void for_runs(unsigned n, F f) {
#pragma unroll 1
    for (unsigned i = lane(); i < n; i += run) f(i);
  }
  /// In two chains, since an addition waits for the one before it.
  template <class A, class B>
  __device__ static void add_products(const Numbers<A>& a, const Numbers<B>& b, double (&sums)[2]) {
#pragma unroll
    for (unsigned u = 0; u < some; ++u) sums[u % 2] += double(a.of[u]) * double(b.of[u]);
  }

  template <class A, class B>
  __device__ static double dot(const A* a, const B* b, unsigned n) {
    double sums[2] = {};
    for_runs(n, [&](unsigned i) { add_products(Numbers<A>(a + i), Numbers<B>(b + i), sums); });
    return warp_sum(sums[0] + sums[1]);
  }
  template <class Z>
  __device__ static double axpy_dot(double a, const Kept* x, double* y, const Z* z, unsigned n) {
    double sums[2] = {};
    for_runs(n, [&](unsigned i) {
      Numbers<double> moved(y + i);
      const Numbers<Kept> by(x + i);
      const Numbers<Z> with(z + i);
#pragma unroll
      for (unsigned u = 0; u < some; ++u) moved.of[u] += a * double(by.of[u]);
      moved.store(y + i);
      add_products(moved, with, sums);
    });
    return warp_sum(sums[0] + sums[1]);
  }
  template <class Z>
  __device__ static double add(const double* x, double a, const double* y, Z* z, unsigned n) {
    double sums[2] = {};
    for_runs(n, [&](unsigned i) {
      Numbers<double> moved(x + i);
      const Numbers<double> by(y + i);
#pragma unroll
      for (unsigned u = 0; u < some; ++u) {
        moved.of[u] += a * by.of[u];
        z[i + u * warp_lanes] = static_cast<Z>(moved.of[u]);
      }
      add_products(moved, moved, sums);
    });
    return warp_sum(sums[0] + sums[1]);
  }
  __device__ static void scale(double a, double* x, unsigned n) {
    for_runs(n, [&](unsigned i) {
      Numbers<double> scaled(x + i);
#pragma unroll
      for (unsigned u = 0; u < some; ++u) scaled.of[u] *= a;
      scaled.store(x + i);
    });
  }
  /// Of any length.
  __device__ static void copy(const double* x, double* y, unsigned n) {
#pragma unroll 4
    for (unsigned i = lane(); i < n; i += warp_lanes) y[i] = x[i];
  }
  __device__ static void clear(double* x, unsigned n) {
#pragma unroll 1
    for (unsigned i = lane(); i < n; i += warp_lanes) x[i] = 0.0;
  }
  __device__ static void set(double* at, double value) {
    if (lane() == 0) *at = value;
    __syncwarp();
  }
  __device__ static double* near(double* at) { return at; }
};

}  // namespace accrete::cuda
