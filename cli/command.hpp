#pragma once
// What a command is: a name, a summary, an example, and a function that adds its options and returns what to run.

#include <CLI/CLI.hpp>
#include <cstddef>
#include <functional>

namespace accrete::cli {

/// Options that every command has.
struct Common {
  bool json = false;        ///< one JSON object on standard output instead of text
  bool quiet = false;       ///< nothing but results and errors
  std::size_t threads = 0;  ///< 0: all
};

/// Runs the command after parsing. Errors leave as exceptions: core::UsageError exits with 2, any other with 1.
using Run = std::function<void()>;

struct Command {
  const char* name;
  const char* summary;
  const char* example;  ///< one or more lines for the end of --help
  Run (*add)(CLI::App& app, const Common& common);
};

}  // namespace accrete::cli
