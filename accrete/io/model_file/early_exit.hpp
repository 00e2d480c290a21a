#pragma once
// The thresholds of early exit in the description of a model.

#include <nlohmann/json.hpp>

#include "accrete/model/early_exit.hpp"

namespace accrete::io {

nlohmann::ordered_json describe_early_exit(const model::EarlyExit& early_exit);

/// Throws FileError for a missing field or one of another type. check_model compares them with the network.
model::EarlyExit read_early_exit(const nlohmann::ordered_json& object);

}  // namespace accrete::io
