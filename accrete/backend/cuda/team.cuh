#pragma once
// The threads that work on one fit: a block of one warp or of a few, with as many fits beside it as the device holds,
// or all blocks of the device together. Rows are shared out in runs, one to a block; what the solver reads (parameters,
// gradient, sums) every block has for itself, and since all blocks add in the same order, all have the same bits and go
// the same way.

#include <cooperative_groups.h>

#include "accrete/backend/cuda/warp.cuh"
#include "accrete/backend/cuda/work.cuh"

namespace accrete::cuda {

/// Rows from..to.
struct Run {
  unsigned from, to;
};

/// The threads of a block of so many warps wait for each other.
template <unsigned warps>
__device__ inline void meet() {
  if constexpr (warps == 1)
    __syncwarp();
  else
    __syncthreads();
}

/// Sum over a block of so many warps, the same for every thread.
template <unsigned warps>
__device__ inline double block_sum(double x) {
  x = warp_sum(x);
  meet<warps>();
  if constexpr (warps == 1) {
    return x;
  } else {
    double* room = in_shared<double>(work().at.sums);
    if (lane() == 0) room[warp()] = x;
    __syncthreads();
    double sum = 0.0;
    for (unsigned w = 0; w < warps; ++w) sum += room[w];
    return sum;
  }
}

template <unsigned of_warps>
struct BlockTeam {
  static constexpr unsigned warps = of_warps, threads = warps * warp_lanes;
  static constexpr bool splits_rows = false;         ///< whether warps may share the rows of a sum
  static constexpr bool solver_shared = warps == 1;  ///< whether the solver's vectors are in shared memory for sure

  __device__ static constexpr bool leads() { return true; }  ///< one block adds what is to be added once
  __device__ static constexpr unsigned block() { return 0; }
  __device__ static constexpr unsigned blocks() { return 1; }
  __device__ static Run share(unsigned rows) { return {0, rows}; }
  __device__ static void sync() { meet<warps>(); }
  __device__ double sum(double x) { return block_sum<warps>(x); }
  /// The sum of an array in shared memory over all blocks, there.
  __device__ static void join(double*, unsigned) { meet<warps>(); }
  /// The same, and the sum of x; the array has room for one more.
  __device__ double join(double x, double*, unsigned) {
    x = block_sum<warps>(x);
    meet<warps>();
    return x;
  }
};

struct GridTeam {
  static constexpr unsigned threads = grid_threads, warps = threads / warp_lanes;
  static constexpr bool splits_rows = true, solver_shared = false;

  unsigned parity = 0;  ///< which of a block's two arrays of parts is next; the other may still be read

  __device__ static bool leads() { return blockIdx.x == 0; }
  __device__ static unsigned block() { return blockIdx.x; }
  __device__ static unsigned blocks() { return gridDim.x; }
  __device__ static Run share(unsigned rows) {
    const unsigned each = ((rows + gridDim.x - 1) / gridDim.x + warp_lanes - 1) / warp_lanes * warp_lanes;
    const unsigned from = min(rows, blockIdx.x * each);
    return {from, min(rows, from + each)};
  }
  __device__ static void sync() { cooperative_groups::this_grid().sync(); }

  __device__ double sum(double x) {
    x = block_sum<warps>(x);
    double* all = work().together.parts + std::size_t(parity) * blocks() * work().together.most_parts;
    if (threadIdx.x == 0) all[block()] = x;
    sync();
    double mine = 0.0;
    for (unsigned b = threadIdx.x; b < blocks(); b += threads) mine += all[b];
    parity ^= 1;
    return block_sum<warps>(mine);
  }
  __device__ void join(double* values, unsigned count) {
    const unsigned most = work().together.most_parts;
    double* all = work().together.parts + std::size_t(parity) * blocks() * most;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += threads) all[std::size_t(block()) * most + i] = values[i];
    sync();
    // Four threads to a number, so that its parts are on their way together.
    constexpr unsigned parts_of_a_sum = 4;
    for (unsigned first = 0; first < count; first += threads / parts_of_a_sum) {
      const unsigned i = first + threadIdx.x / parts_of_a_sum, part = threadIdx.x % parts_of_a_sum;
      double sum = 0.0;
      if (i < count) {
#pragma unroll 12
        for (unsigned b = part; b < blocks(); b += parts_of_a_sum) sum += all[std::size_t(b) * most + i];
      }
      for (unsigned offset = parts_of_a_sum / 2; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(whole_warp, sum, offset);
      if (i < count && part == 0) values[i] = sum;
    }
    parity ^= 1;
    __syncthreads();
  }
  __device__ double join(double x, double* values, unsigned count) {
    x = block_sum<warps>(x);
    if (threadIdx.x == 0) values[count] = x;
    join(values, count + 1);
    return values[count];
  }
};

}  // namespace accrete::cuda
