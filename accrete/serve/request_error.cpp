#include "accrete/serve/request_error.hpp"

#include <cstddef>

namespace accrete::serve {
namespace {

constexpr std::size_t max_message_bytes = 1000;

std::string one_short_line(std::string text) {
  if (text.size() > max_message_bytes) {
    std::size_t end = max_message_bytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not within a character
    text.resize(end);
    text += "...";
  }
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  return text;
}

}  // namespace

RequestError::RequestError(int status, const std::string& message)
    : core::Error(one_short_line(message)), status_(status) {}

}  // namespace accrete::serve
