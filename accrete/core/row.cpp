#include "accrete/core/row.hpp"

#include <fmt/format.h>

namespace accrete::core {
namespace {

constexpr const char* row_name = "row";  // must not be the name of a parameter

}  // namespace

ParameterReference row(std::size_t index) {
  return {row_name, std::to_string(index)};
}

std::string RowNames::name(std::size_t index) const {
  return fmt::format("{} {} (counting from {})", word, index + first, first);
}

std::optional<std::string> RowNames::name(const ParameterReference& reference) const {
  if (reference.name != row_name || !reference.value) return std::nullopt;
  return name(std::stoull(*reference.value));
}

}  // namespace accrete::core
