#pragma once
#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace accrete::core {

/// "1 unit", "20 units"
inline std::string counted(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

}  // namespace accrete::core
