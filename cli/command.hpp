#pragma once
// A command: a name, a summary, an example, and a function that adds its options and returns the action.

#include <CLI/CLI.hpp>
#include <cstddef>
#include <functional>

namespace accrete::cli {

/// Options that every command has.
struct Common {
  bool json = false;        ///< one JSON object on standard output instead of text
  bool quiet = false;       ///< only results and errors
  std::size_t threads = 0;  ///< 0: all
};

/// The action of a command, called after parsing. core::UsageError exits with 2, any other exception with 1.
using Run = std::function<void()>;

struct Command {
  const char* name;
  const char* summary;
  const char* example;  ///< one or more lines for the end of --help
  Run (*add)(CLI::App& app, const Common& common);
};

}  // namespace accrete::cli
