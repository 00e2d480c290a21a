// Variable projection: for every hidden layer the best output layer is known in closed form, so the solver moves the
// hidden layer alone. The residuals are divided by their root mean square first, the output layer multiplied back.

#include "accrete/boosting/step.hpp"

namespace accrete::boosting {

network::Block ProjectedStep::fit(StepContext& c) {
  const double size = c.rows.take_residuals(c.config.rescale_residual);
  return make_block(c, minimise(c, backend::Fit::projected), std::vector<double>(c.outputs, size));
}

}  // namespace accrete::boosting
