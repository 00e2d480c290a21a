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

/// Two numbers of an 8 x 8 product of 8 x 4 and 4 x 8, of which a lane brings one number each: a in row lane / 4 and
/// column lane % 4, b in row lane % 4 and column lane / 4. The lane gets columns 2 (lane % 4) and the next of row lane
/// / 4.
struct Two {
  double first, second;
};
__device__ inline Two matrix_product(double a, double b) {
  Two d;
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %4};"
      : "=d"(d.first), "=d"(d.second)
      : "d"(a), "d"(b), "d"(0.0));
  return d;
}

/// The same for every lane. By matrix instructions, since a shuffle of a double is two, and waits for each other: sums
/// of four lanes; of two fours, each with the same place in its own; of these four sums.
__device__ inline double warp_sum(double x) {
  const double of_four = matrix_product(x, 1.0).first;
  const Two of_fours = matrix_product(0.25, of_four);
  return matrix_product(of_fours.first + of_fours.second, 1.0).first;
}
__device__ inline float warp_sum(float x) {
  for (unsigned offset = warp_lanes / 2; offset > 0; offset /= 2) x += __shfl_xor_sync(whole_warp, x, offset);
  return x;
}

/// The sums of `count` numbers (a power of two) over `count` lanes, so far apart: lane l gets that of
/// x[l / apart % count]. Lanes give half of what they have for half of what their partner has, so that it takes about a
/// shuffle for each sum.
template <int count, int apart = 1, class T, int size>
__device__ __forceinline__ T group_sums(T (&x)[size]) {
  static_assert(count <= size && count <= int(warp_lanes) && (count & (count - 1)) == 0);
  if constexpr (count == 1) {
    return x[0];
  } else {
    constexpr int half = count / 2;
    const bool upper = (lane() & (half * apart)) != 0;
#pragma unroll
    for (int i = 0; i < half; ++i) {
      const T given = upper ? x[i] : x[i + half];
      x[i] = (upper ? x[i + half] : x[i]) + __shfl_xor_sync(whole_warp, given, half * apart);
    }
    return group_sums<half, apart>(x);
  }
}

/// The same over all lanes of the warp.
template <int count, class T>
__device__ __forceinline__ T warp_sums(T (&x)[count]) {
  T sum = group_sums<count>(x);
#pragma unroll
  for (unsigned offset = count; offset < warp_lanes; offset *= 2) sum += __shfl_xor_sync(whole_warp, sum, offset);
  return sum;
}

/// What both policies of a solver that is a warp (below and in wide_vectors.cuh) do in the same way.
struct WarpNumbers {
  __device__ static void clear(double* x, unsigned n) {
#pragma unroll 1
    for (unsigned i = lane(); i < n; i += warp_lanes) x[i] = 0.0;
  }
  __device__ static void set(double* at, double value) {
    if (lane() == 0) *at = value;
    __syncwarp();
  }
};

/// The policy for solver::Lbfgs: element i belongs to lane i % 32, so that no lane reads what another has written.
/// Every lane gets the same sums. shared: all vectors are in shared memory, where they are loaded with fewer
/// instructions.
template <bool shared>
struct WarpVectors : WarpVectorsLayout, WarpNumbers {
  template <class A, class B>
  __device__ static double dot(const A* a, const B* b, unsigned n) {
    double sum = 0.0;
#pragma unroll 1
    for (unsigned i = lane(); i < n; i += warp_lanes) sum += double(a[i]) * double(b[i]);
    return warp_sum(sum);
  }
  template <class Z>
  __device__ static double axpy_dot(double a, const Kept* x, double* y, const Z* z, unsigned n) {
    double sum = 0.0;
#pragma unroll 1
    for (unsigned i = lane(); i < n; i += warp_lanes) {
      const double moved = y[i] + a * double(x[i]);
      y[i] = moved;
      sum += moved * double(z[i]);
    }
    return warp_sum(sum);
  }
  template <class Z>
  __device__ static double add(const double* x, double a, const double* y, Z* z, unsigned n) {
    double sum = 0.0;
#pragma unroll 1
    for (unsigned i = lane(); i < n; i += warp_lanes) {
      const double moved = x[i] + a * y[i];
      z[i] = static_cast<Z>(moved);
      sum += moved * moved;
    }
    return warp_sum(sum);
  }
  __device__ static void scale(double a, double* x, unsigned n) {
#pragma unroll 1
    for (unsigned i = lane(); i < n; i += warp_lanes) x[i] *= a;
  }
  __device__ static void copy(const double* x, double* y, unsigned n) {
#pragma unroll 1
    for (unsigned i = lane(); i < n; i += warp_lanes) y[i] = x[i];
  }
  /// As an address in shared memory. Through assembly, since the compiler takes a there and back for nothing.
  __device__ static double* near(double* at) {
    if constexpr (!shared) return at;
    std::size_t inside;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(inside) : "l"(at));
    return static_cast<double*>(__cvta_shared_to_generic(inside));
  }
};

}  // namespace accrete::cuda
