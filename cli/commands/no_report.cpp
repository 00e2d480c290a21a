// accrete report in a build without D3: reports that pages are missing.

#include "accrete/core/error.hpp"
#include "cli/commands.hpp"

namespace accrete::cli {

Run add_report(CLI::App& app, const Common&) {
  app.group("Not in this build");
  app.allow_extras();
  return [] {
    throw core::Error(
        "this build of accrete writes no pages (built without reports, which need D3, Debian package libjs-d3)");
  };
}

}  // namespace accrete::cli
