#pragma once
// A network's purpose as JSON, as its file keeps it.

#include <nlohmann/json.hpp>

#include "accrete/deep/examples/purpose.hpp"

namespace accrete::deep {

nlohmann::json purpose_json(const Purpose& purpose);

/// Trusts nothing: throws FileError, "damaged (...)", for anything that is no purpose.
Purpose read_purpose(const nlohmann::json& json);

}  // namespace accrete::deep
