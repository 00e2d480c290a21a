#pragma once
// The demo as one page that needs nothing else: it opens from disk, asks the network for nothing, and says all it has
// to say without its script. The script only adds the dial.

#include <string>

#include "cli/demo_experiment.hpp"

namespace accrete::cli {

std::string demo_page(const Experiment& experiment);

}  // namespace accrete::cli
