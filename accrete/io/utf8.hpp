#pragma once
// Whether bytes are text in UTF-8, which is what a model file can keep.

#include <string_view>

namespace accrete::io {

/// The first byte that no well-formed UTF-8 character covers, or nullptr. Overlong forms, surrogates and values above
/// U+10FFFF are not well-formed.
const char* find_not_utf8(std::string_view text);

}  // namespace accrete::io
