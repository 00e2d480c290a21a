#include "cli/support/shell_quote.hpp"

#include <algorithm>
#include <string_view>

namespace accrete::cli {
namespace {

/// Bytes above 127 belong to letters of UTF-8 names.
bool is_literal(char c) {
  constexpr std::string_view others = "_./,:=@%+-";
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte > 127 ||
         others.find(c) != others.npos;
}

}  // namespace

std::string shell_quoted(const std::string& text) {
  if (!text.empty() && std::ranges::all_of(text, is_literal)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

}  // namespace accrete::cli
