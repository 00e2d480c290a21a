#pragma once
// The linear algebra of a solver that has a multiprocessor to itself while it solves: still one warp, which needs no
// barrier, but one that has several numbers of a vector on their way at once, where WarpVectors has one and the other
// fits beside it fill the time.

#include "accrete/backend/cuda/warp.cuh"

namespace accrete::cuda {

/// The policy for solver::Lbfgs: element i belongs to lane i % 32, as with WarpVectors.
struct WideVectors : WideVectorsLayout, WarpNumbers {
  static constexpr unsigned some = run / warp_lanes;

  /// This lane's numbers of a run, all of them loaded before any is used.
  struct Numbers {
    double of[some];

    __device__ explicit Numbers(const double* from) {
#pragma unroll
      for (unsigned u = 0; u < some; ++u) of[u] = from[u * warp_lanes];
    }
    __device__ void store(double* to) const {
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
  /// In four chains, since an addition waits for the one before it.
  struct Sums {
    double of[4] = {};

    __device__ void add(const Numbers& a, const Numbers& b) {
#pragma unroll
      for (unsigned u = 0; u < some; ++u) of[u % 4] += a.of[u] * b.of[u];
    }
    __device__ double all() const {
      return warp_sum((of[0] + of[1]) + (of[2] + of[3]));
    }
  };

  __device__ static double dot(const double* a, const double* b, unsigned n) {
    Sums sums;
    for_runs(n, [&](unsigned i) { sums.add(Numbers(a + i), Numbers(b + i)); });
    return sums.all();
  }
  __device__ static double axpy_dot(double a, const double* x, double* y, const double* z, unsigned n) {
    Sums sums;
    for_runs(n, [&](unsigned i) {
      Numbers moved(y + i);
      const Numbers by(x + i), with(z + i);
#pragma unroll
      for (unsigned u = 0; u < some; ++u) moved.of[u] += a * by.of[u];
      moved.store(y + i);
      sums.add(moved, with);
    });
    return sums.all();
  }
  __device__ static double add(const double* x, double a, const double* y, double* z, unsigned n) {
    Sums sums;
    for_runs(n, [&](unsigned i) {
      Numbers moved(x + i);
      const Numbers by(y + i);
#pragma unroll
      for (unsigned u = 0; u < some; ++u) moved.of[u] += a * by.of[u];
      moved.store(z + i);
      sums.add(moved, moved);
    });
    return sums.all();
  }
  __device__ static void scale(double a, double* x, unsigned n) {
    for_runs(n, [&](unsigned i) {
      Numbers scaled(x + i);
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
  __device__ static double* near(double* at) {
    return at;
  }
};

}  // namespace accrete::cuda
