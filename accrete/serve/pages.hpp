#pragma once
// Documents that the server returns. page.cpp has the explorer page; no_page.cpp replaces it in a build without D3.

#include <optional>
#include <string>
#include <string_view>

namespace accrete::serve {

/// The page for exploring models; unset in a build without D3.
const std::optional<std::string>& explorer_page();

/// The OpenAPI description of the server.
extern const std::string_view openapi_json;

}  // namespace accrete::serve
