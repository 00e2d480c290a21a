#pragma once
// The kernels, and which of one kind of loss is for so many units.

#include "accrete/backend/cuda/kernels.hpp"
#include "accrete/backend/cuda/team_fit.cuh"

namespace accrete::cuda {

/// Blocks take fits from the queue until it is empty.
template <class Losses, int J, int K>
__global__ void __launch_bounds__(BlockTeam::threads, BlockTeam::blocks_of_processor)
    fit_all(const FitPlan* plans, const unsigned* queue, unsigned count, const DeviceRows* rows, Layout layout,
            char* memory, unsigned* next) {
  extern __shared__ __align__(16) char shared[];
  // What every thread reads all the time lies in shared memory, not once per thread.
  __shared__ unsigned mine;
  __shared__ FitPlan plan;
  __shared__ DeviceRows its;
  __shared__ Layout at;
  if (threadIdx.x == 0) at = layout;
  for (;;) {
    if (threadIdx.x == 0) {
      mine = atomicAdd(next, 1u);
      if (mine < count) {
        plan = plans[queue[mine]];
        its = rows[plan.rows];
      }
    }
    __syncthreads();
    if (mine >= count) return;
    char* mine_in_global = memory + blockIdx.x * (at.global_bytes + at.own_bytes);
    BlockTeam team{reinterpret_cast<double*>(shared + at.sums)};
    TeamFit<BlockTeam, Losses, J, K>(plan, its, {shared, mine_in_global, mine_in_global + at.global_bytes, at}, team)
        .run();
    __syncthreads();
  }
}

/// All blocks, which must be on the device together, do the one fit.
template <class Losses, int J, int K>
__global__ void __launch_bounds__(GridTeam::threads, GridTeam::blocks_of_processor)
    fit_one(FitPlan told_plan, DeviceRows told_rows, Layout layout, OneMemory memory) {
  extern __shared__ __align__(16) char shared[];
  __shared__ FitPlan plan;
  __shared__ DeviceRows its;
  __shared__ Layout at;
  if (threadIdx.x == 0) plan = told_plan, its = told_rows, at = layout;
  __syncthreads();
  GridTeam team{reinterpret_cast<double*>(shared + at.sums), memory.parts, memory.most_parts};
  TeamFit<GridTeam, Losses, J, K>(plan, its, {shared, memory.fit, memory.own + blockIdx.x * at.own_bytes, at}, team)
      .run();
}

template <class Losses, int J, int K>
struct Many {
  static const void* kernel() { return reinterpret_cast<const void*>(&fit_all<Losses, J, K>); }
};

template <class Losses, int J, int K>
struct One {
  static const void* kernel() { return reinterpret_cast<const void*>(&fit_one<Losses, J, K>); }
};

template <template <class, int, int> class Kind, class Losses, int K>
const void* kernel_for_units(unsigned units) {
  static_assert(most_units == 4);
  switch (units) {
    case 1:
      return Kind<Losses, 1, K>::kernel();
    case 2:
      return Kind<Losses, 2, K>::kernel();
    case 3:
      return Kind<Losses, 3, K>::kernel();
    case 4:
      return Kind<Losses, 4, K>::kernel();
    default:
      return nullptr;
  }
}

}  // namespace accrete::cuda
