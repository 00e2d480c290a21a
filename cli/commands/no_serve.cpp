// accrete serve in a build without cpp-httplib: reports that the server is missing.

#include "accrete/core/error.hpp"
#include "cli/commands.hpp"

namespace accrete::cli {

Run add_serve(CLI::App& app, const Common&) {
  app.group("Not in this build");
  app.allow_extras();
  return [] {
    throw core::Error(
        "this build of accrete has no server (built without cpp-httplib, Debian package libcpp-httplib-dev)");
  };
}

}  // namespace accrete::cli
