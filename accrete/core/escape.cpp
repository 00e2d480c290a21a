#include "accrete/core/escape.hpp"

#include <fmt/format.h>

namespace accrete::core {

std::string escape_controls(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n')
      result += "\\n";
    else if (c == '\t')
      result += "\\t";
    else if (c == '\r')
      result += "\\r";
    else if (byte < 32 || byte == 127)
      result += fmt::format("\\x{:02x}", byte);
    else
      result += c;
  }
  return result;
}

std::string shorten(std::string text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  std::size_t end = max_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  return text + "...";
}

std::string quote(std::string_view text) {
  constexpr std::size_t max_bytes = 100;
  return "'" + shorten(std::string(text), max_bytes) + "'";
}

}  // namespace accrete::core
