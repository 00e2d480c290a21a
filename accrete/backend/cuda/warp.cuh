#pragma once
// A warp as a team: sums over its lanes, and the linear algebra that a solver wants of it.

#include <cstddef>

#include "accrete/backend/cuda/layout.hpp"

namespace accrete::cuda {

constexpr unsigned warp_lanes = 32;
constexpr unsigned whole_warp = 0xFFFFFFFFu;

__device__ inline unsigned lane() {
  return threadIdx.x % warp_lanes;
}
__device__ inline unsigned warp() {
  return threadIdx.x / warp_lanes;
}

template <class T>
__device__ inline T warp_sum(T x) {
  for (unsigned offset = warp_lanes / 2; offset > 0; offset /= 2) x += __shfl_xor_sync(whole_warp, x, offset);
  return x;
}

/// The policy for solver::Lbfgs: element i belongs to lane i % 32, so that no lane reads what another has written.
/// Every lane gets the same sums.
struct WarpVectors {
  static constexpr std::size_t run = warp_lanes;

  __device__ static double dot(const double* a, const double* b, std::size_t n) {
    double sum = 0.0;
    for (std::size_t i = lane(); i < n; i += run) sum += a[i] * b[i];
    return warp_sum(sum);
  }
  __device__ static double axpy_dot(double a, const double* x, double* y, const double* z, std::size_t n) {
    double sum = 0.0;
    for (std::size_t i = lane(); i < n; i += run) {
      const double moved = y[i] + a * x[i];
      y[i] = moved;
      sum += moved * z[i];
    }
    return warp_sum(sum);
  }
  __device__ static double add(const double* x, double a, const double* y, double* z, std::size_t n) {
    double sum = 0.0;
    for (std::size_t i = lane(); i < n; i += run) {
      const double moved = x[i] + a * y[i];
      z[i] = moved;
      sum += moved * moved;
    }
    return warp_sum(sum);
  }
  __device__ static void scale(double a, double* x, std::size_t n) {
    for (std::size_t i = lane(); i < n; i += run) x[i] *= a;
  }
  __device__ static void copy(const double* x, double* y, std::size_t n) {
    for (std::size_t i = lane(); i < n; i += run) y[i] = x[i];
  }
  __device__ static void clear(double* x, std::size_t n) {
    for (std::size_t i = lane(); i < n; i += run) x[i] = 0.0;
  }
};

}  // namespace accrete::cuda
