#pragma once
// The text of cli/peers/fit.py, compiled into the command by cmake/cli.cmake.

#include <string_view>

namespace accrete::cli {

extern const std::string_view peer_script;

}  // namespace accrete::cli
