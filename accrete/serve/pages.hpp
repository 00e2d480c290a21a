#pragma once
// Documents that the server hands out. page.cpp has the explorer page; a build without D3 has no_page.cpp instead.

#include <optional>
#include <string>
#include <string_view>

namespace accrete::serve {

/// The page that explores the models; nothing in a build without D3.
const std::optional<std::string>& explorer_page();

/// The OpenAPI description of the server.
extern const std::string_view openapi_json;

}  // namespace accrete::serve
