#pragma once
// The kernels. Included only by the explicit instantiations that cmake/cuda.cmake generates from instance.cu.in.

#include "accrete/backend/cuda/kernels.hpp"
#include "accrete/backend/cuda/team_fit.cuh"

namespace accrete::cuda {

/// Warps per multiprocessor that the register limit is chosen for.
constexpr unsigned resident_warps = 16;

/// Warps per block of a grid; the block has a multiprocessor to itself. Twelve warps would spill with more outputs.
template <int K>
constexpr unsigned grid_warps = K >= 1 && K <= max_register_outputs ? 12 : 8;

/// Sets the state that is constant over all steps.
__device__ inline void set_fit(const FitPlan& plan, const DeviceRows& rows) {
  state().plan = plan;
  state().rows = rows;
  state().penalty = plan.alpha / (double(plan.drawn_rows) * rows.row_weight);
}

/// Each block takes fits from a queue until it is empty.
template <class Team, class Losses, int J, int K>
__global__ void __launch_bounds__(Team::threads, resident_warps / Team::warps)
    run_fits(const FitPlan* plans, const unsigned* queue, unsigned count, const DeviceRows* datasets, Layout layout,
             char* memory, unsigned* next) {
  if (threadIdx.x == 0) {
    state().layout = layout;
    state().fit_memory = memory + blockIdx.x * (layout.fit_bytes + layout.block_bytes);
    state().block_memory = state().fit_memory + layout.fit_bytes;
  }
  for (;;) {
    if (threadIdx.x == 0) {
      const unsigned index = state().queue_index = atomicAdd(next, 1u);
      if (index < count) set_fit(plans[queue[index]], datasets[plans[queue[index]].dataset]);
    }
    Team::sync();
    if (state().queue_index >= count) return;
    TeamFit<Team, Losses, J, K>().run();
    Team::sync();
  }
}

/// All blocks, which must be resident at the same time, run one fit.
template <class Team, class Losses, int J, int K>
__global__ void __launch_bounds__(Team::threads, 1)
    run_fit(FitPlan plan, DeviceRows dataset, Layout layout, GridMemory memory) {
  if (threadIdx.x == 0) {
    state().layout = layout;
    state().fit_memory = memory.fit;
    state().block_memory = memory.blocks + blockIdx.x * layout.block_bytes;
    state().grid = memory;
    set_fit(plan, dataset);
  }
  __syncthreads();
  TeamFit<Team, Losses, J, K>().run();
}

template <class Team, class Losses, int J, int K>
Kernel make_kernel() {
  if constexpr (Team::is_grid)
    return {reinterpret_cast<const void*>(&run_fit<Team, Losses, J, K>), Team::threads, J == 0};
  else
    return {reinterpret_cast<const void*>(&run_fits<Team, Losses, J, K>), Team::threads, J == 0};
}

template <class Losses, int J, int K>
struct WarpKernel {
  static Kernel make() { return make_kernel<BlockTeam<1>, Losses, J, K>(); }
};
template <class Losses, int J, int K>
struct BlockKernel {
  static Kernel make() { return make_kernel<BlockTeam<4>, Losses, J, K>(); }
};
template <class Losses, int J, int K>
struct GridKernel {
  static Kernel make() { return make_kernel<GridTeam<grid_warps<K>>, Losses, J, K>(); }
};

template <template <class, int, int> class Kind, class Losses, int K>
Kernel kernel_for_units(unsigned units) {
  if constexpr (K == 0) return Kind<Losses, 0, 0>::make();
  static_assert(max_fixed_units == 4);
  if constexpr (K > 0) switch (units) {
      case 1:
        return Kind<Losses, 1, K>::make();
      case 2:
        return Kind<Losses, 2, K>::make();
      case 3:
        return Kind<Losses, 3, K>::make();
      case 4:
        return Kind<Losses, 4, K>::make();
    }
  return {};
}

}  // namespace accrete::cuda
