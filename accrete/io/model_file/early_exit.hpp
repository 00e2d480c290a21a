#pragma once
// The thresholds of early exit in the description of a model.

#include <nlohmann/json.hpp>

#include "accrete/model/early_exit.hpp"

namespace accrete::io {

nlohmann::ordered_json describe_early_exit(const model::EarlyExit& early_exit);

/// Throws FileError for a missing field or one of the wrong type. check_model checks the values against the network.
model::EarlyExit read_early_exit(const nlohmann::ordered_json& object);

}  // namespace accrete::io
