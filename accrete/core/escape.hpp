#pragma once
// Texts that come from a file or a client, for a message of one short line.

#include <cstddef>
#include <string>
#include <string_view>

namespace accrete::core {

/// Control characters as \n, \t, \r or \x1b, so that a text stays one line and does not control the terminal.
std::string escape_controls(std::string_view text);

/// The first `max_bytes` bytes at most and "...", not cut within a UTF-8 character; a shorter text as it is.
std::string shorten(std::string text, std::size_t max_bytes);

/// The text in single quotes, shortened to about a line.
std::string quote(std::string_view text);

}  // namespace accrete::core
