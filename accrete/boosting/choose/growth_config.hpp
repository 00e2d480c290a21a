#pragma once
// The parameters used to grow an existing network.

#include "accrete/config/config.hpp"
#include "accrete/model/model.hpp"

namespace accrete::boosting {

/// The model's parameters, overridden by the given ones. Throws UsageError for a parameter that cannot change.
config::ResolvedConfig growth_config(const model::Model& model, const config::Config& given);

}  // namespace accrete::boosting
