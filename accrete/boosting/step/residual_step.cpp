// The paper's step: fit the residuals by least squares, then scale each output by a Newton step,
//
//   rho_k = sum w r_k h_k / sum w L''_k h_k^2        over ALL rows, r = -L'.
//
// `residual` minimises over both layers at once, as in the paper. `projected` is variable projection: given the hidden
// layer, the best output layer has a closed form, so the solver varies the hidden layer only. If the residuals were
// rescaled, the output layer is scaled back.

#include <algorithm>

#include "accrete/boosting/step.hpp"
#include "accrete/config/newton.hpp"

namespace accrete::boosting {
namespace {

/// Multiplies scale by the Newton steps, shortened where config::StepGuard requires it.
void take_newton_steps(StepContext& c, std::span<const double> parameters, std::vector<double>& scale) {
  const auto sums = c.rows.newton_sums(make_block(c, parameters, scale));
  const auto rho = [&](std::size_t k) {
    const double step = config::newton_step(sums.slope[k], sums.curvature[k]);
    return c.is_monotone() ? std::max(0.0, step) : step;  // a negative step would reverse the block's direction
  };
  for (std::size_t k = 0; k < c.outputs; ++k) scale[k] *= rho(k);
  const double loss = c.rows.mean_loss();
  const config::NewtonStep first{rho(0), sums.curvature[0], sums.largest[0]};
  // The guard for a single output does not apply to a custom loss.
  const auto guard = c.outputs > 1 || c.loss.index == loss::All::index_of(loss::Custom::name, "loss")
                         ? config::StepGuard::for_outputs(loss)
                         : config::StepGuard::for_one_output(first, c.rate(), loss, c.start_loss, c.row_count);
  if (!guard.is_needed) return;
  const auto loss_after = [&] {
    std::vector<double> shrunk = scale;
    for (double& s : shrunk) s *= c.rate();
    return c.rows.mean_loss_after(make_block(c, parameters, shrunk));
  };
  const auto multiply = [&](double factor) {
    for (double& s : scale) s *= factor;
  };
  if (!guard.shorten(loss_after, multiply)) std::ranges::fill(scale, 0.0);
}

network::Block fit_residuals(StepContext& c, backend::StepObjective objective) {
  const double scale_back = c.rows.compute_residuals(c.config.rescale_residual);
  const auto parameters = minimise(c, objective);
  std::vector<double> scale(c.outputs, scale_back);
  if (c.loss.unit_step()) return make_block(c, parameters, scale);
  take_newton_steps(c, parameters, scale);
  return make_block(c, parameters, scale);
}

}  // namespace

network::Block fit_step(config::ResidualObjective, StepContext& c) {
  return fit_residuals(c, backend::StepObjective::squared_error);
}

network::Block fit_step(config::ProjectedObjective, StepContext& c) {
  return fit_residuals(c, backend::StepObjective::projected);
}

}  // namespace accrete::boosting
