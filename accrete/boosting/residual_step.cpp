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

/// Makes a step smaller, first by the factor `first` and then by halves, until the training loss with it is at most
/// `most`.
void hold_back(StepContext& c, std::span<const double> parameters, std::vector<double>& scale, double most,
               double first) {
  for (int cuts = 0; cuts < 8; ++cuts) {
    std::vector<double> shrunk = scale;
    for (double& s : shrunk) s *= c.rate();
    if (c.rows.mean_loss_with(make_block(c, parameters, shrunk)) <= most) return;
    for (double& s : scale) s *= cuts == 0 ? first : 0.5;
  }
  std::ranges::fill(scale, 0.0);
}

/// The Newton steps, applied to scale. Each output's is taken as if the others stood still. Where they are tied to each
/// other (softmax), all together may go too far, and must not raise the training loss. A single one may: the next steps
/// make that good, and a fit that never rises ends no lower. But from a network that is worse than the constant it
/// began with a fit runs away. A step that would lead there is not taken whole; the few that could are looked at.
void take_newton_steps(StepContext& c, std::span<const double> parameters, std::vector<double>& scale) {
  const auto sums = c.rows.newton(make_block(c, parameters, scale));
  const auto rho = [&](std::size_t k) { return newton_step(sums.slope[k], sums.curvature[k]); };
  for (std::size_t k = 0; k < c.outputs; ++k) scale[k] *= rho(k);
  const double now = c.rows.mean_loss();
  if (c.outputs > 1) return hold_back(c, parameters, scale, now, 0.5);
  const NewtonMove move{rho(0), sums.curvature[0], sums.largest[0]};
  const double most = std::max(now, c.start_loss);
  if (!(now + move.most_rise(c.rate()) / static_cast<double>(c.row_count) <= most))
    hold_back(c, parameters, scale, most, move.sure_share());
}

network::Block fit_residuals(StepContext& c, backend::Fit fit) {
  const double size = c.rows.take_residuals(c.config.rescale_residual);
  const auto parameters = minimise(c, fit);
  std::vector<double> scale(c.outputs, size);
  if (c.loss.unit_step()) return make_block(c, parameters, scale);
  take_newton_steps(c, parameters, scale);
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
