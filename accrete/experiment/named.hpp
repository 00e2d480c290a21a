#pragma once
// Lookup of named list entries.

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "accrete/core/error.hpp"

namespace accrete::experiment {

/// The list entry with that name. Throws UsageError: "unknown method 'x'; allowed: gbnn, deep".
template <class List>
const auto& find_named(const List& list, std::string_view name, std::string_view what) {
  std::string names;
  for (const auto& one : list) {
    if (one.name == name) return one;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", one.name);
  }
  throw core::UsageError(fmt::format("unknown {} '{}'; allowed: {}", what, name, names));
}

}  // namespace accrete::experiment
