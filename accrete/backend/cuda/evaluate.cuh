#pragma once
// An evaluation: value and gradient of a step's objective at a point, as backend::Rows has them.

#include <type_traits>

#include "accrete/backend/cuda/list_pass.cuh"
#include "accrete/backend/cuda/project.cuh"
#include "accrete/backend/cuda/register_pass.cuh"
#include "accrete/backend/cuda/single_pass.cuh"
#include "accrete/backend/cuda/tile_pass.cuh"

namespace accrete::cuda {

/// At a point in shared memory; the same value for every thread.
template <class Team, class Losses, int J, int K>
__device__ double evaluate(Team& team, const double* point, double* gradient, backend::Fit fit) {
  constexpr bool in_registers = K <= few_outputs, may_tile = Team::splits_rows && K <= most_tile_outputs;
  using Pass = std::conditional_t<in_registers, RegisterPass<Team, Losses, J, K>, ListPass<Team, Losses, J, K>>;
  const StepRows<Team, Losses, J, K> step;
  const auto shape = step.shape();
  const bool projected = fit == backend::Fit::projected;
  if constexpr (J == 1 && K == 1)
    if (projected && step.width <= SinglePass<Team, Losses>::most)
      return SinglePass<Team, Losses>{step, gradient}.evaluate(team, point);
  const Projection<Team, Losses, J, K> projection{step};
  const double* layer = projected ? projection.layer : point + shape.output_weights_at();
  const auto join = [&](double value) {
    return team.join(value + penalty_value<Team>(point, J * step.width, layer, J * step.outputs), gradient,
                     static_cast<unsigned>(projected ? shape.hidden_size() : shape.size()));
  };
  using Tiled = TilePass<Team, Losses, J, K>;
  if constexpr (may_tile)
    if (Tiled::suits(step)) {
      if (projected) {
        Tiled::find_products(point);
        projection.finish(team);
      }
      return join(Tiled::evaluate(point, layer, gradient, fit));
    }
  if (projected)
    projection.find(team, point);
  else if (in_registers)
    step.load_hidden(point);
  else
    step.forward(point);
  step.load_output(layer);
  meet<Team::warps>();
  return join(Pass{step, gradient}.evaluate(point, fit));
}

}  // namespace accrete::cuda
