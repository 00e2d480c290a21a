#pragma once
#include <string>
#include <string_view>

namespace accrete::core {

/// With padding, in one line: what a data URI takes.
std::string base64(std::string_view bytes);

}  // namespace accrete::core
