// The loss itself: minimise mean L(y, F + h) over the block's parameters. No residuals, no step size to find.

#include "accrete/boosting/step.hpp"

namespace accrete::boosting {

network::Block DirectStep::fit(StepContext& c) {
  return make_block(c, minimise(c, backend::Fit::loss), std::vector<double>(c.outputs, 1.0));
}

}  // namespace accrete::boosting
