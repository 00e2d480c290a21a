#pragma once
// Serialised fit results, which ranks send to each other. All ranks run the same program.

#include <string>
#include <string_view>

#include "accrete/tune/records.hpp"

namespace accrete::tune {

std::string to_bytes(const FitRecord& record);

/// Throws core::Error if the bytes are not a record.
FitRecord parse_record(std::string_view bytes);

}  // namespace accrete::tune
