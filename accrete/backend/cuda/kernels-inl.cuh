#pragma once
// The kernels, and which of one kind of loss is for so many units.

#include "accrete/backend/cuda/kernels.hpp"
#include "accrete/backend/cuda/team_fit.cuh"

namespace accrete::cuda {

/// Registers are rationed for so many warps of a multiprocessor.
template <int K>
constexpr unsigned warps_of_processor = K <= few_outputs ? 16 : 24;

/// Of a block among those that do a fit together, which has a multiprocessor's registers to itself.
template <int J, int K>
constexpr unsigned grid_warps = K >= 1 && K <= few_outputs ? 12 : 8;

/// What is not written here is the step's.
__device__ inline void set_up(const FitPlan& plan, const DeviceRows& rows) {
  work().plan = plan;
  work().rows = rows;
  work().penalty = plan.alpha / (double(plan.drawn) * rows.row_weight);
}

/// Blocks take fits from the queue until it is empty.
template <class Team, class Losses, int J, int K>
__global__ void __launch_bounds__(Team::threads, warps_of_processor<K> / Team::warps)
    fit_all(const FitPlan* plans, const unsigned* queue, unsigned count, const DeviceRows* all_rows, Layout layout,
            char* memory, unsigned* next) {
  if (threadIdx.x == 0) {
    work().at = layout;
    work().global = memory + blockIdx.x * (layout.global_bytes + layout.own_bytes);
    work().own = work().global + layout.global_bytes;
  }
  for (;;) {
    if (threadIdx.x == 0) {
      const unsigned mine = work().taken = atomicAdd(next, 1u);
      if (mine < count) set_up(plans[queue[mine]], all_rows[plans[queue[mine]].rows]);
    }
    Team::sync();
    if (work().taken >= count) return;
    TeamFit<Team, Losses, J, K>().run();
    Team::sync();
  }
}

/// All blocks, which must be on the device together, do the one fit.
template <class Team, class Losses, int J, int K>
__global__ void __launch_bounds__(Team::threads, 1)
    fit_one(FitPlan plan, DeviceRows its, Layout layout, OneMemory memory) {
  if (threadIdx.x == 0) {
    work().at = layout;
    work().global = memory.fit;
    work().own = memory.own + blockIdx.x * layout.own_bytes;
    work().together = memory;
    set_up(plan, its);
  }
  __syncthreads();
  TeamFit<Team, Losses, J, K>().run();
}

template <class Losses, int J, int K>
struct Few {
  using Team = BlockTeam<1>;
  static Kernel kernel() {
    return {reinterpret_cast<const void*>(&fit_all<Team, Losses, J, K>), Team::threads, J == 0};
  }
};

template <class Losses, int J, int K>
struct Many {
  using Team = BlockTeam<4>;
  static Kernel kernel() {
    return {reinterpret_cast<const void*>(&fit_all<Team, Losses, J, K>), Team::threads, J == 0};
  }
};

template <class Losses, int J, int K>
struct One {
  using Team = GridTeam<grid_warps<J, K>>;
  static Kernel kernel() {
    return {reinterpret_cast<const void*>(&fit_one<Team, Losses, J, K>), Team::threads, J == 0};
  }
};

template <template <class, int, int> class Kind, class Losses, int K>
Kernel kernel_for_units(unsigned units) {
  static_assert(most_units == 4);
  if constexpr (K == 0)
    return Kind<Losses, 0, 0>::kernel();
  else
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
        return {};
    }
}

}  // namespace accrete::cuda
