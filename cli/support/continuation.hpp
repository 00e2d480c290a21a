#pragma once
// How the user continues a fit that was interrupted.

#include <string>

#include "cli/support/fitting.hpp"

namespace accrete::cli {

/// A clause that says how to get the model of the whole fit: the command whose result has the same bytes, or that the
/// fit must run again. Empty if no units are missing.
std::string continuation(const FitReport& report);

}  // namespace accrete::cli
