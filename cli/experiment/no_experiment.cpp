// accrete experiment in a build without the experiments, such as the Python package's.

#include "accrete/core/error.hpp"
#include "cli/commands.hpp"

namespace accrete::cli {

Run add_experiment(CLI::App& app, const Common&) {
  app.group("Not in this build");
  app.allow_extras();
  return [] { throw core::Error("this build of accrete has no experiments; try './dev build'"); };
}

}  // namespace accrete::cli
