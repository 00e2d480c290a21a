#pragma once
// The threads that work on one fit: a block of them, with as many fits beside it as the device holds, or all blocks of
// the device together. Rows are shared out in runs, one to a block; what the solver reads (parameters, gradient, sums)
// every block has for itself, and since all blocks add in the same order, all have the same bits and go the same way.

#include <cooperative_groups.h>

#include "accrete/backend/cuda/warp.cuh"

namespace accrete::cuda {

/// Rows from..to.
struct Run {
  unsigned from, to;
};

/// Sum over a block of so many warps, the same for every thread.
template <unsigned warps>
__device__ inline double block_sum(double x, double* room) {
  x = warp_sum(x);
  __syncthreads();
  if (lane() == 0) room[warp()] = x;
  __syncthreads();
  double sum = 0.0;
  for (unsigned w = 0; w < warps; ++w) sum += room[w];
  return sum;
}

struct BlockTeam {
  static constexpr unsigned threads = block_threads, warps = threads / warp_lanes;
  static constexpr unsigned blocks_of_processor = 6;  ///< registers are rationed for so many
  static constexpr bool splits_rows = false;          ///< whether warps may share the rows of a sum

  double* room;  ///< in shared memory, one for each warp

  __device__ static constexpr bool leads() { return true; }  ///< one block adds what is to be added once
  __device__ static constexpr unsigned block() { return 0; }
  __device__ static constexpr unsigned blocks() { return 1; }
  __device__ static Run share(unsigned rows) { return {0, rows}; }
  __device__ static void sync() { __syncthreads(); }
  __device__ double sum(double x) { return block_sum<warps>(x, room); }
  /// The sum of an array in shared memory over all blocks, there.
  __device__ static void join(double*, unsigned) { __syncthreads(); }
  /// The same, and the sum of x; the array has room for one more.
  __device__ double join(double x, double*, unsigned) {
    x = block_sum<warps>(x, room);
    __syncthreads();
    return x;
  }
};

struct GridTeam {
  static constexpr unsigned threads = grid_threads, warps = threads / warp_lanes;
  static constexpr unsigned blocks_of_processor = 1;
  static constexpr bool splits_rows = true;

  double* room;
  double* parts;        ///< in global memory: twice an array for each block
  unsigned most;        ///< numbers of such an array
  unsigned parity = 0;  ///< which of the two is next; the other may still be read

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
    x = block_sum<warps>(x, room);
    double* all = parts + std::size_t(parity) * blocks() * most;
    if (threadIdx.x == 0) all[block()] = x;
    sync();
    double mine = 0.0;
    for (unsigned b = threadIdx.x; b < blocks(); b += threads) mine += all[b];
    parity ^= 1;
    return block_sum<warps>(mine, room);
  }
  __device__ void join(double* values, unsigned count) {
    double* all = parts + std::size_t(parity) * blocks() * most;
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
    x = block_sum<warps>(x, room);
    if (threadIdx.x == 0) values[count] = x;
    join(values, count + 1);
    return values[count];
  }
};

}  // namespace accrete::cuda
