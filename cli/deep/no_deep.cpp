// accrete deep in a build without libtorch: reports that it is missing.

#include "accrete/core/error.hpp"
#include "cli/commands.hpp"

namespace accrete::cli {

Run add_deep(CLI::App& app, const Common&) {
  app.group("Not in this build");
  app.allow_extras();
  return [] {
    throw core::Error("this build of accrete has no deep networks (built without libtorch); try './dev build --deep'");
  };
}

}  // namespace accrete::cli
