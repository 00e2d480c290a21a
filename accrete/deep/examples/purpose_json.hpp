#pragma once
// JSON representation of a network's purpose, as stored in its file.

#include <nlohmann/json.hpp>

#include "accrete/deep/examples/purpose.hpp"

namespace accrete::deep {

nlohmann::json purpose_json(const Purpose& purpose);

/// The JSON is untrusted: throws FileError, "damaged (...)", for any invalid content.
Purpose read_purpose(const nlohmann::json& json);

}  // namespace accrete::deep
