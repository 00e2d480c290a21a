#pragma once
// Control characters in texts that come from a file or a client.

#include <string>
#include <string_view>

namespace accrete::core {

/// Control characters as \n, \t, \r or \x1b, so that a text stays one line and does not control the terminal.
std::string escape_controls(std::string_view text);

}  // namespace accrete::core
