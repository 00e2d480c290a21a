#pragma once
// An evaluation: value and gradient of a step's objective at a point, as backend::Rows has them.

#include <type_traits>

#include "accrete/backend/cuda/general_pass.cuh"
#include "accrete/backend/cuda/list_pass.cuh"
#include "accrete/backend/cuda/project.cuh"
#include "accrete/backend/cuda/register_pass.cuh"
#include "accrete/backend/cuda/single_pass.cuh"

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

/// The same value for every thread.
template <class Team, class Losses, int J, int K>
__device__ double evaluate(Team& team, const double* point, double* gradient, backend::Fit fit) {
  using Chosen = Parts<Team, Losses, J, K>;
  constexpr bool in_registers = K > 0 && K <= few_outputs;
  const typename Chosen::Step step;
  const auto shape = step.shape();
  const bool projected = fit == backend::Fit::projected;
  if constexpr (J == 1 && K == 1)
    if (projected && step.width <= SinglePass<Team, Losses>::most)
      return SinglePass<Team, Losses>{step, gradient}.evaluate(team, point);
  const double* layer = point + shape.output_weights_at();
  if (projected) {
    const typename Chosen::Projection projection{step};
    projection.find(team, point);
    layer = projection.layer;
  } else if (in_registers) {
    step.load_hidden(point);
  } else {
    step.forward(point);
  }
  step.load_output(layer);
  meet<Team::warps>();
  const double value = typename Chosen::Pass{step, gradient}.evaluate(point, fit) +
                       penalty_value<Team>(point, step.units() * step.width, layer, step.units() * step.outputs);
  return team.join(value, gradient, static_cast<unsigned>(projected ? shape.hidden_size() : shape.size()));
}

}  // namespace accrete::cuda
