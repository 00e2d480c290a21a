#pragma once
// The threads that run one fit: a block of one or four warps, next to other fits, or all blocks of the device. Blocks
// divide the rows of a fit into contiguous ranges. Parameters, gradient and sums are replicated in every block; all
// blocks add in the same order, so that their copies are bit-identical and they take the same branches.

#include <cooperative_groups.h>

#include "accrete/backend/cuda/block_memory.cuh"
#include "accrete/backend/cuda/warp_vectors.cuh"

namespace accrete::cuda {

struct RowRange {
  unsigned first, end;
};

template <unsigned warps>
__device__ inline void sync_block() {
  if constexpr (warps == 1)
    __syncwarp();
  else
    __syncthreads();
}

/// Combines one value per warp over the block; every thread gets the result.
template <unsigned warps, class Combine>
__device__ inline double reduce_warps(double x, Combine combine) {
  sync_block<warps>();
  if constexpr (warps == 1) {
    return x;
  } else {
    double* values = in_shared<double>(layout().warp_sums);
    if (lane() == 0) values[warp()] = x;
    __syncthreads();
    double result = values[0];
    for (unsigned w = 1; w < warps; ++w) result = combine(result, values[w]);
    return result;
  }
}
template <unsigned warps>
__device__ inline double block_sum(double x) {
  return reduce_warps<warps>(warp_sum(x), [](double a, double b) { return a + b; });
}
template <unsigned warps>
__device__ inline double block_max(float x) {
  return reduce_warps<warps>(warp_max(x), [](double a, double b) { return a < b ? b : a; });
}

template <unsigned warp_count>
struct BlockTeam {
  static constexpr unsigned warps = warp_count, threads = warps * warp_lanes;
  static constexpr bool is_grid = false;
  static constexpr bool solver_shared = warps == 1;  ///< the solver's vectors are always in shared memory

  /// Only the first block adds what must be added once, such as the penalty.
  __device__ static constexpr bool is_first_block() { return true; }
  __device__ static constexpr unsigned block() { return 0; }
  __device__ static constexpr unsigned blocks() { return 1; }
  __device__ static RowRange row_range(unsigned rows) { return {0, rows}; }
  __device__ static void sync() { sync_block<warps>(); }
  __device__ double sum(double x) { return block_sum<warps>(x); }
  /// Adds arrays in shared memory over all blocks; combines the last `maxima` elements by their maximum.
  __device__ static void all_reduce(double*, unsigned, unsigned = 0) { sync_block<warps>(); }
  /// The same, plus the sum of x, which it returns. The array needs space for count + 1 elements.
  __device__ double all_reduce_with(double x, double*, unsigned) {
    x = block_sum<warps>(x);
    sync_block<warps>();
    return x;
  }
};

/// Increments a counter and returns its new value. Earlier writes of this block are visible to readers of the counter;
/// a full memory fence would take several times as long.
__device__ inline unsigned count_up(unsigned* counter) {
  unsigned before;
  asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(counter) : "memory");
  return before + 1;
}
__device__ inline unsigned read_counter(const unsigned* counter) {
  unsigned value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(counter) : "memory");
  return value;
}

template <unsigned warp_count>
struct GridTeam {
  static constexpr unsigned warps = warp_count, threads = warps * warp_lanes;
  static constexpr bool is_grid = true, solver_shared = false;

  unsigned reductions = 0;  ///< all_reduce calls so far

  __device__ static bool is_first_block() { return blockIdx.x == 0; }
  __device__ static unsigned block() { return blockIdx.x; }
  __device__ static unsigned blocks() { return gridDim.x; }
  __device__ static RowRange row_range(unsigned rows) {
    const unsigned size = ((rows + gridDim.x - 1) / gridDim.x + warp_lanes - 1) / warp_lanes * warp_lanes;
    const unsigned first = min(rows, blockIdx.x * size);
    return {first, min(rows, first + size)};
  }
  __device__ static void sync() { cooperative_groups::this_grid().sync(); }

  __device__ double sum(double x) {
    __shared__ double total;
    return all_reduce_with(x, &total, 0);
  }
  /// Two stages: the last block of a group to arrive adds the arrays of the group; when all groups are done, every
  /// block adds the groups' arrays. Partial sums alternate between two buffers, because one may still be read while the
  /// other is written.
  __device__ void all_reduce(double* values, unsigned count, unsigned maxima = 0) {
    const GridMemory& grid = state().grid;
    const unsigned groups = (blocks() + reduce_group - 1) / reduce_group;
    double* partials = grid.partials + std::size_t(reductions % 2) * (blocks() + groups) * grid.max_values;
    double* group_partials = partials + std::size_t(blocks()) * grid.max_values;
    const unsigned group = block() / reduce_group, first = group * reduce_group;
    const unsigned members = min(reduce_group, blocks() - first);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += threads)
      partials[std::size_t(block()) * grid.max_values + i] = values[i];
    if (arrive(grid.arrivals + 1 + group) == members * (reductions + 1)) {
      add_arrays(partials + std::size_t(first) * grid.max_values, members,
                 group_partials + std::size_t(group) * grid.max_values, count, count - maxima);
      __syncthreads();
      if (threadIdx.x == 0) count_up(grid.arrivals);
    }
    ++reductions;
    if (threadIdx.x == 0)
      while (read_counter(grid.arrivals) < groups * reductions) {
      }
    __syncthreads();
    add_arrays(group_partials, groups, values, count, count - maxima);
    __syncthreads();
  }
  __device__ double all_reduce_with(double x, double* values, unsigned count) {
    x = block_sum<warps>(x);
    if (threadIdx.x == 0) values[count] = x;
    all_reduce(values, count + 1);
    return values[count];
  }

 private:
  /// Publishes this block's writes; returns how many blocks have arrived at the counter.
  __device__ static unsigned arrive(unsigned* counter) {
    __shared__ unsigned arrived;
    __syncthreads();
    if (threadIdx.x == 0) arrived = count_up(counter);
    __syncthreads();
    return arrived;
  }
  /// Adds `arrays` arrays of `count` elements, bypassing the L1 cache; combines elements from `sums` on by their
  /// maximum.
  __device__ static void add_arrays(const double* from, unsigned arrays, double* to, unsigned count, unsigned sums) {
    const unsigned stride = state().grid.max_values;
    for (unsigned i = threadIdx.x; i < count; i += threads) {
      double result = 0.0;
      for (unsigned first = 0; first < arrays; first += reduce_group) {
        double values[reduce_group];  // all loads in flight at once
#pragma unroll
        for (unsigned a = 0; a < reduce_group; ++a)
          values[a] = first + a < arrays ? __ldcg(from + std::size_t(first + a) * stride + i) : 0.0;
#pragma unroll
        for (unsigned a = 0; a < reduce_group; ++a)
          result = i < sums ? result + values[a] : (result < values[a] ? values[a] : result);
      }
      to[i] = result;
    }
  }
};

}  // namespace accrete::cuda
