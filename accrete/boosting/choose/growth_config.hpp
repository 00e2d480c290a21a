#pragma once
// The parameters of a network that grows.

#include "accrete/config/config.hpp"
#include "accrete/model/model.hpp"

namespace accrete::boosting {

/// The parameters of the model, overwritten by those given now. Throws UsageError for one that cannot change.
config::ResolvedConfig growth_config(const model::Model& model, const config::Config& given);

}  // namespace accrete::boosting
