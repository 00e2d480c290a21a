// The paper's step: fit the pseudo-residuals by least squares, then scale each output by a Newton step,
//
//   rho_k = sum w r_k h_k / sum w L''_k h_k^2        over ALL rows, r = -L'.
//
// The least squares is solved in one of two ways. `residual` moves both layers at once, as the authors do. `projected`
// is variable projection: for every hidden layer the best output layer is known in closed form, so the solver moves the
// hidden layer alone. Where the residuals are rescaled, the output layer is multiplied back.

#include <algorithm>

#include "accrete/boosting/newton.hpp"
#include "accrete/boosting/step.hpp"

namespace accrete::boosting {
namespace {

/// Each output's Newton step is taken as if the others stood still. Where they are tied to each other (softmax), all
/// together may go too far; a step that would raise the training loss is halved until it does not.
void hold_back(StepContext& c, std::span<const double> parameters, std::vector<double>& scale) {
  const double before = c.rows.mean_loss();
  for (int halvings = 0; halvings < 8; ++halvings) {
    std::vector<double> shrunk = scale;
    for (double& s : shrunk) s *= c.rate();
    if (c.rows.mean_loss_with(make_block(c, parameters, shrunk)) <= before) return;
    for (double& s : scale) s *= 0.5;
  }
  std::ranges::fill(scale, 0.0);
}

network::Block fit_residuals(StepContext& c, backend::Fit fit) {
  const double size = c.rows.take_residuals(c.config.rescale_residual);
  const auto parameters = minimise(c, fit);
  std::vector<double> scale(c.outputs, size);
  if (c.loss.unit_step()) return make_block(c, parameters, scale);
  const auto sums = c.rows.newton(make_block(c, parameters, scale));
  for (std::size_t k = 0; k < c.outputs; ++k) scale[k] *= newton_step(sums.slope[k], sums.curvature[k]);
  if (c.outputs > 1) hold_back(c, parameters, scale);
  return make_block(c, parameters, scale);
}

}  // namespace

network::Block ResidualStep::fit(StepContext& c) {
  return fit_residuals(c, backend::Fit::squares);
}

network::Block ProjectedStep::fit(StepContext& c) {
  return fit_residuals(c, backend::Fit::projected);
}

}  // namespace accrete::boosting
