// accrete demo in a build without cairo: says so.

#include "accrete/core/error.hpp"
#include "cli/commands.hpp"

namespace accrete::cli {

Run add_demo(CLI::App&, const Common&) {
  return [] {
    throw core::Error("this build of accrete draws no pictures (it was made without cairo); './dev demo' does");
  };
}

}  // namespace accrete::cli
