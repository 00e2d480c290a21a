// Minimises the loss itself, mean L(y, F + h), over the block's parameters; no residuals and no Newton step are needed.

#include "accrete/boosting/step.hpp"

namespace accrete::boosting {

network::Block fit_step(config::DirectObjective, StepContext& c) {
  return make_block(c, minimise(c, backend::StepObjective::loss), std::vector<double>(c.outputs, 1.0));
}

}  // namespace accrete::boosting
