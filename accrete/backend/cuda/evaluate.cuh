#pragma once
// An evaluation: value and gradient of a step's objective at a point, as backend::Rows has them.

#include <type_traits>

#include "accrete/backend/cuda/general_pass.cuh"
#include "accrete/backend/cuda/list_pass.cuh"
#include "accrete/backend/cuda/project.cuh"
#include "accrete/backend/cuda/register_pass.cuh"
#include "accrete/backend/cuda/single_pass.cuh"
#include "accrete/backend/cuda/tile_pass.cuh"

namespace accrete::cuda {

/// What does it, by units of a step and most outputs; 0: any.
template <class Team, class Losses, int J, int K>
struct Parts {
  using Step = StepRows<Team, Losses, J, K>;
  using Projection = cuda::Projection<Team, Losses, J, K>;
  using Pass = std::conditional_t<K <= few_outputs, RegisterPass<Team, Losses, J, K>, ListPass<Team, Losses, J, K>>;
};
template <class Team, class Losses>
struct Parts<Team, Losses, 0, 0> {
  using Step = GeneralRows<Team, Losses>;
  using Projection = GeneralProjection<Team, Losses>;
  using Pass = GeneralPass<Team, Losses>;
};

/// The same value for every thread. Inlined, however large: as a function it has registers of its own to keep.
template <class Team, class Losses, int J, int K>
__device__ __forceinline__ double evaluate(Team& team, const double* point, double* gradient, backend::Fit fit) {
  using Chosen = Parts<Team, Losses, J, K>;
  constexpr bool in_registers = K > 0 && K <= few_outputs;
  constexpr bool may_tile = Team::splits_rows && K > 0 && K <= most_tile_outputs;
  const typename Chosen::Step step;
  const auto shape = step.shape();
  const bool projected = fit == backend::Fit::projected;
  if constexpr (J == 1 && K == 1)
    if (projected && step.width <= SinglePass<Team, Losses>::most)
      return SinglePass<Team, Losses>{step, gradient}.evaluate(team, point);
  const typename Chosen::Projection projection{step};
  const double* layer = projected ? projection.layer : point + shape.output_weights_at();
  const auto join = [&](double value) {
    return team.join(value + penalty_value<Team>(point, step.units() * step.width, layer, step.units() * step.outputs),
                     gradient, static_cast<unsigned>(projected ? shape.hidden_size() : shape.size()));
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
  return join(typename Chosen::Pass{step, gradient}.evaluate(point, fit));
}

}  // namespace accrete::cuda
