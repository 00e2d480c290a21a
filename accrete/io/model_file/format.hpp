#pragma once
// The text format of an input column in the description of a model.

#include <nlohmann/json.hpp>

#include "accrete/data/recognise/text_format.hpp"

namespace accrete::io {

/// Describes only the fields that differ from plain numbers.
nlohmann::ordered_json describe_format(const data::TextFormat& format);

/// Throws FileError for an unknown field or value.
data::TextFormat read_format(const nlohmann::ordered_json& object);

}  // namespace accrete::io
