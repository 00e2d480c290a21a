#pragma once
#include <string>
#include <string_view>

namespace accrete::core {

/// Standard alphabet with padding and without line breaks, as data URIs require.
std::string base64(std::string_view bytes);

}  // namespace accrete::core
