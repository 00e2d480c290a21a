// accrete experiment report in a build without D3: reports that pages are missing.

#include "accrete/core/error.hpp"
#include "cli/experiment/report.hpp"

namespace accrete::cli {

Run add_experiment_report(CLI::App& app, const Common&) {
  app.allow_extras();
  return [] {
    throw core::Error(
        "this build of accrete writes no pages (built without reports, which need D3, Debian package libjs-d3)");
  };
}

}  // namespace accrete::cli
