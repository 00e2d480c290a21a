#pragma once
// Checks that text is UTF-8, as model files require.

#include <string_view>

namespace accrete::io {

/// Pointer to the first byte that is not part of a well-formed UTF-8 character, or nullptr. Overlong forms, surrogates
/// and values above U+10FFFF are malformed.
const char* find_invalid_utf8(std::string_view text);

}  // namespace accrete::io
