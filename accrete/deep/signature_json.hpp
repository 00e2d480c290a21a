#pragma once
// JSON representation of a network's signature, stored in its file as "purpose".

#include <nlohmann/json.hpp>

#include "accrete/deep/signature.hpp"

namespace accrete::deep {

nlohmann::json signature_json(const Signature& signature);

/// The JSON is untrusted: throws FileError, "damaged (...)", for any invalid content.
Signature read_signature(const nlohmann::json& json);

}  // namespace accrete::deep
