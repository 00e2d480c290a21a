#pragma once
// The parameters of a network that grows.

#include "accrete/config/config.hpp"
#include "accrete/model/model.hpp"

namespace accrete::boosting {

/// The parameters that the model was made with, and those given now. Throws UsageError for what cannot change.
config::ResolvedConfig growth_config(const model::Model& model, const config::Config& given);

}  // namespace accrete::boosting
