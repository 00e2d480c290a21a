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

/// Adds 1, and says how many they are. What this block has written before, whoever counts or reads on can read: with
/// this order and no more, since a fence for all of memory takes several times as long.
__device__ inline unsigned count_up(unsigned* at) {
  unsigned before;
  asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(at) : "memory");
  return before + 1;
}
__device__ inline unsigned read_after(const unsigned* at) {
  unsigned now;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(at) : "memory");
  return now;
}

template <unsigned of_warps>
struct GridTeam {
  static constexpr unsigned warps = of_warps, threads = warps * warp_lanes;
  static constexpr bool splits_rows = true, solver_shared = false;

  unsigned meetings = 0;  ///< so far, to add something up

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
    __shared__ double all;
    return join(x, &all, 0);
  }
  /// In two turns: the last block of a group to arrive adds up the group's, and when all groups have, every block adds
  /// up the groups'. Always in the same order, whoever is last. Of the two arrays that take turns one may still be read
  /// while the other is written.
  __device__ void join(double* values, unsigned count) {
    const unsigned most = work().together.most_parts, groups = (blocks() + blocks_of_a_group - 1) / blocks_of_a_group;
    double* parts = work().together.parts + std::size_t(meetings % 2) * (blocks() + groups) * most;
    double* of_groups = parts + std::size_t(blocks()) * most;
    const unsigned group = block() / blocks_of_a_group, first = group * blocks_of_a_group;
    const unsigned members = min(blocks_of_a_group, blocks() - first);
    unsigned* arrivals = work().together.arrivals;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += threads) parts[std::size_t(block()) * most + i] = values[i];
    if (arrive(arrivals + 1 + group) == members * (meetings + 1)) {
      add_up(parts + std::size_t(first) * most, members, of_groups + std::size_t(group) * most, count);
      __syncthreads();
      if (threadIdx.x == 0) count_up(arrivals);
    }
    ++meetings;
    if (threadIdx.x == 0)
      while (read_after(arrivals) < groups * meetings) {
      }
    __syncthreads();
    add_up(of_groups, groups, values, count);
    __syncthreads();
  }
  /// What this block has written can be read by others. The number of those that have come here, this one too.
  __device__ static unsigned arrive(unsigned* at) {
    __shared__ unsigned arrived;
    __syncthreads();
    if (threadIdx.x == 0) arrived = count_up(at);
    __syncthreads();
    return arrived;
  }
  /// Arrays of so many numbers, of which there may be older ones in the nearest cache.
  __device__ static void add_up(const double* arrays, unsigned how_many, double* to, unsigned count) {
    const unsigned most = work().together.most_parts;
    for (unsigned i = threadIdx.x; i < count; i += threads) {
      double sum = 0.0;
      for (unsigned first = 0; first < how_many; first += blocks_of_a_group) {
        double some[blocks_of_a_group];  // on their way together
#pragma unroll
        for (unsigned a = 0; a < blocks_of_a_group; ++a)
          some[a] = first + a < how_many ? __ldcg(arrays + std::size_t(first + a) * most + i) : 0.0;
#pragma unroll
        for (unsigned a = 0; a < blocks_of_a_group; ++a) sum += some[a];
      }
      to[i] = sum;
    }
  }
  __device__ double join(double x, double* values, unsigned count) {
    x = block_sum<warps>(x);
    if (threadIdx.x == 0) values[count] = x;
    join(values, count + 1);
    return values[count];
  }
};

}  // namespace accrete::cuda
