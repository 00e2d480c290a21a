#include "accrete/serve/request_error.hpp"

#include <cstddef>

#include "accrete/core/escape.hpp"

namespace accrete::serve {
namespace {

constexpr std::size_t max_message_bytes = 1000;

std::string shortened(std::string text) {
  if (text.size() > max_message_bytes) {
    std::size_t end = max_message_bytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not within a character
    text.resize(end);
    text += "...";
  }
  return text;
}

}  // namespace

RequestError::RequestError(int status, const std::string& message)
    : core::Error(shortened(core::escape_controls(message))), status_(status) {}

}  // namespace accrete::serve
