#include "accrete/io/utf8.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace accrete::io {
namespace {

/// Length in bytes of the well-formed character at p, or 0. The range of the second byte excludes overlong forms,
/// surrogates and values that are too high (Unicode, table 3-7).
std::size_t character_length(const unsigned char* p, std::size_t left) {
  const unsigned char lead = p[0];
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || left < length) return 0;
  const unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (p[1] < low || p[1] > high) return 0;
  for (std::size_t i = 2; i < length; ++i)
    if ((p[i] & 0xC0) != 0x80) return 0;
  return length;
}

}  // namespace

const char* find_invalid_utf8(std::string_view text) {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
  for (std::size_t i = 0; i < text.size();) {
    // Most files are plain ASCII, so check eight bytes at a time.
    std::uint64_t word = 0;
    if (i + sizeof word <= text.size()) {
      std::memcpy(&word, bytes + i, sizeof word);
      if ((word & 0x8080808080808080u) == 0) {
        i += sizeof word;
        continue;
      }
    }
    const std::size_t length = character_length(bytes + i, text.size() - i);
    if (length == 0) return text.data() + i;
    i += length;
  }
  return nullptr;
}

}  // namespace accrete::io
