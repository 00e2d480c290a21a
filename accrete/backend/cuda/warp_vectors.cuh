#pragma once
// A warp's reductions over its lanes, and the vector operations of a solver that runs on one warp.

#include <algorithm>
#include <cstddef>

#include "accrete/backend/cuda/layout.hpp"

namespace accrete::cuda {

constexpr unsigned full_warp = 0xFFFFFFFFu;

__device__ inline unsigned lane() {
  return threadIdx.x % warp_lanes;
}
__device__ inline unsigned warp() {
  return threadIdx.x / warp_lanes;
}

/// Two elements of the product of an 8 x 4 and a 4 x 8 matrix: row lane / 4, columns 2 (lane % 4) and 2 (lane % 4) + 1.
/// Each lane contributes a, at row lane / 4 and column lane % 4, and b, at row lane % 4 and column lane / 4.
struct MatrixPair {
  double first, second;
};
__device__ inline MatrixPair multiply_matrices(double a, double b) {
  MatrixPair d;
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %4};"
      : "=d"(d.first), "=d"(d.second)
      : "d"(a), "d"(b), "d"(0.0));
  return d;
}

/// The sum over all lanes, in every lane. Three matrix instructions are faster than five shuffles of doubles: the first
/// sums groups of four lanes, the second pairs of those sums, the third the remaining four.
__device__ inline double warp_sum(double x) {
  const double sum_of_four = multiply_matrices(x, 1.0).first;
  const MatrixPair sums = multiply_matrices(0.25, sum_of_four);
  return multiply_matrices(sums.first + sums.second, 1.0).first;
}

/// The maximum over all lanes of nonnegative numbers; NaN if any is NaN.
__device__ inline float warp_max(float x) {
  return __uint_as_float(__reduce_max_sync(full_warp, __float_as_uint(x)));
}

/// The sums of `count` values (a power of two) over `count` lanes, a stride of `apart` lanes from each other: lane l
/// gets the sum of x[l / apart % count]. Each round halves the number of values per lane, so a sum takes about one
/// shuffle.
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
      const T sent = upper ? x[i] : x[i + half];
      x[i] = (upper ? x[i + half] : x[i]) + __shfl_xor_sync(full_warp, sent, half * apart);
    }
    return group_sums<half, apart>(x);
  }
}

/// The same over all lanes of the warp.
template <int count, class T>
__device__ __forceinline__ T warp_sums(T (&x)[count]) {
  T sum = group_sums<count>(x);
#pragma unroll
  for (unsigned offset = count; offset < warp_lanes; offset *= 2) sum += __shfl_xor_sync(full_warp, sum, offset);
  return sum;
}

/// The Vectors policy of solver::Lbfgs for a warp; Width is NarrowVectors or WideVectors. Element i belongs to lane i %
/// 32, so no lane reads another lane's writes, and every lane gets the same sums. shared: all vectors are in shared
/// memory, which takes fewer instructions per load.
template <class Width, bool shared>
struct WarpVectors : Width {
  using typename Width::PairValue;
  static constexpr unsigned per_lane = std::max<unsigned>(1, Width::pad_multiple / warp_lanes);
  static constexpr unsigned chains = std::min(4u, per_lane);  ///< independent sums, which hide addition latency

  /// This lane's share of per_lane * warp_lanes elements, all loaded before any is used.
  struct Elements {
    double values[per_lane];

    template <class T>
    __device__ explicit Elements(const T* from) {
#pragma unroll
      for (unsigned u = 0; u < per_lane; ++u) values[u] = double(from[u * warp_lanes]);
    }
    template <class T>
    __device__ void store(T* to) const {
#pragma unroll
      for (unsigned u = 0; u < per_lane; ++u) to[u * warp_lanes] = static_cast<T>(values[u]);
    }
    __device__ void add_scaled(double a, const Elements& x) {
#pragma unroll
      for (unsigned u = 0; u < per_lane; ++u) values[u] += a * x.values[u];
    }
  };
  struct DotSum {
    double sums[chains] = {};

    __device__ void add(const Elements& a, const Elements& b) {
#pragma unroll
      for (unsigned u = 0; u < per_lane; ++u) sums[u % chains] += a.values[u] * b.values[u];
    }
    __device__ double total() const {
      if constexpr (chains == 1)
        return warp_sum(sums[0]);
      else
        return warp_sum((sums[0] + sums[1]) + (sums[2] + sums[3]));
    }
  };
  /// Calls f(i), where i is the lane's first element of every per_lane * warp_lanes.
  template <class F>
  __device__ static void for_elements(unsigned n, F f) {
#pragma unroll 1
    for (unsigned i = lane(); i < n; i += per_lane * warp_lanes) f(i);
  }

  template <class A, class B>
  __device__ static double dot(const A* a, const B* b, unsigned n) {
    DotSum sum;
    for_elements(n, [&](unsigned i) { sum.add(Elements(a + i), Elements(b + i)); });
    return sum.total();
  }
  template <class Z>
  __device__ static double axpy_dot(double a, const PairValue* x, double* y, const Z* z, unsigned n) {
    DotSum sum;
    for_elements(n, [&](unsigned i) {
      Elements moved(y + i);
      const Elements by(x + i), with(z + i);
      moved.add_scaled(a, by);
      moved.store(y + i);
      sum.add(moved, with);
    });
    return sum.total();
  }
  template <class Z>
  __device__ static double add(const double* x, double a, const double* y, Z* z, unsigned n) {
    DotSum sum;
    for_elements(n, [&](unsigned i) {
      Elements moved(x + i);
      const Elements by(y + i);
      moved.add_scaled(a, by);
      moved.store(z + i);
      sum.add(moved, moved);
    });
    return sum.total();
  }
  __device__ static void scale(double a, double* x, unsigned n) {
    for_elements(n, [&](unsigned i) {
      Elements scaled(x + i);
#pragma unroll
      for (unsigned u = 0; u < per_lane; ++u) scaled.values[u] *= a;
      scaled.store(x + i);
    });
  }
  /// n need not be a multiple of pad_multiple.
  __device__ static void copy(const double* x, double* y, unsigned n) {
#pragma unroll chains
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
  /// A pointer known to the compiler to be in shared memory. Needs assembly, because the compiler would drop the
  /// conversion.
  __device__ static double* in_fast_memory(double* at) {
    if constexpr (!shared) return at;
    std::size_t offset;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(offset) : "l"(at));
    return static_cast<double*>(__cvta_shared_to_generic(offset));
  }
};

}  // namespace accrete::cuda
