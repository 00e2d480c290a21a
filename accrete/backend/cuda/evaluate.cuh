#pragma once
// Value and gradient of a step's objective (backend::StepObjective) at a point; selects the pass that computes them.

#include <type_traits>

#include "accrete/backend/cuda/output_layer.cuh"
#include "accrete/backend/cuda/register_pass.cuh"
#include "accrete/backend/cuda/single_pass.cuh"
#include "accrete/backend/cuda/tile_pass.cuh"

namespace accrete::cuda {

/// The types of a kernel with J units per step and at most K outputs; 0 means any number.
template <class Team, class Losses, int J, int K>
struct KernelTypes {
  static constexpr bool general = J == 0, in_registers = !general && K <= max_register_outputs;
  using Step = FixedRows<Team, Losses, J, K>;
  using Projection = std::conditional_t<in_registers, RegisterProjection<Team, Losses, J, K>,
                                        ProductProjection<Team, FixedRows<Team, Losses, J, K>>>;
  using Pass = std::conditional_t<in_registers, RegisterPass<Team, Losses, J, K>, ProductPass<Team, Step>>;
};
template <class Team, class Losses>
struct KernelTypes<Team, Losses, 0, 0> {
  static constexpr bool general = true, in_registers = false;
  using Step = GeneralRows<Team, Losses>;
  using Projection = ProductProjection<Team, Step>;
  using Pass = ProductPass<Team, Step>;
};

/// Returns the same value in every thread. Inlined, because a call would save and restore registers.
template <class Team, class Losses, int J, int K>
__device__ __forceinline__ double evaluate(Team& team, const double* point, double* gradient,
                                           backend::StepObjective objective) {
  using Types = KernelTypes<Team, Losses, J, K>;
  const typename Types::Step step;
  const auto shape = step.shape();
  const bool projected = objective == backend::StepObjective::projected;
  if constexpr (J == 1 && K == 1)
    if (projected && plan().single_pass) return SinglePass<Team, Losses>{step, gradient}.evaluate(team, point);
  const typename Types::Projection projection{step};
  const double* layer = projected ? projection.layer : point + shape.output_weights_at();
  const auto all_reduce = [&](double value) {
    value += penalty_value<Team>(point, step.units() * step.width, layer, step.units() * step.outputs);
    return team.all_reduce_with(value, gradient, static_cast<unsigned>(projected ? shape.hidden_size() : shape.size()));
  };
  if constexpr (Team::is_grid && !Types::general && K <= max_tile_outputs)
    if (layout().tile_warps > 0) return all_reduce(TilePass<Team, Losses, J, K>{step, gradient}.evaluate(point));
  if (projected)
    projection.project(team, point);
  else if (Types::in_registers)
    step.load_hidden(point);
  else
    step.forward(point);
  step.load_output(layer);
  sync_block<Team::warps>();
  return all_reduce(typename Types::Pass{step, gradient}.evaluate(point, objective));
}

}  // namespace accrete::cuda
