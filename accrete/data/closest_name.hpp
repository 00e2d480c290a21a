#pragma once
// The name that a misspelt one was probably meant to be.

#include <optional>
#include <span>
#include <string_view>

namespace accrete::data {

/// The first of the names with the fewest changes (a letter inserted, removed or replaced, or two exchanged, in any
/// case); nothing if more than a third of the letters differ.
std::optional<std::string_view> closest_name(std::string_view name, std::span<const std::string_view> names);

}  // namespace accrete::data
