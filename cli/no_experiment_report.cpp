// accrete experiment report in a build without D3: says so.

#include "accrete/core/error.hpp"
#include "cli/experiment_report.hpp"

namespace accrete::cli {

Run add_experiment_report(CLI::App& app, const Common&) {
  app.allow_extras();
  return [] { throw core::Error("this build of accrete writes no pages (it was made without D3, Debian's libjs-d3)"); };
}

}  // namespace accrete::cli
