#pragma once
// Makes text from a file or a client safe for a message of one short line.

#include <cstddef>
#include <string>
#include <string_view>

namespace accrete::core {

/// Replaces control characters by escape sequences (\n, \t, \r, \x1b), so that the text stays on one line and cannot
/// control the terminal.
std::string escape_controls(std::string_view text);

/// The first `max_bytes` bytes, not cut within a UTF-8 character, and "..."; shorter text is returned unchanged.
std::string shorten(std::string text, std::size_t max_bytes);

/// The text in single quotes, shortened to about a line.
std::string quote(std::string_view text);

}  // namespace accrete::core
