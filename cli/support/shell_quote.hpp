#pragma once
// Quotes the words of a command that a message suggests.

#include <string>

namespace accrete::cli {

/// The text as one word of a POSIX shell: unchanged if every character is literal, otherwise in single quotes.
std::string shell_quoted(const std::string& text);

}  // namespace accrete::cli
