// accrete deep in a build without libtorch: says so, whatever comes after it.

#include "accrete/core/error.hpp"
#include "cli/commands.hpp"

namespace accrete::cli {

Run add_deep(CLI::App& app, const Common&) {
  app.allow_extras();
  return [] {
    throw core::Error(
        "this build of accrete has no deep models (it was made without libtorch); './dev build --deep' has");
  };
}

}  // namespace accrete::cli
