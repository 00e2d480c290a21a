#pragma once
// accrete experiment report. no_report.cpp replaces report.cpp in a build without pages.

#include "cli/command.hpp"

namespace accrete::cli {

Run add_experiment_report(CLI::App& app, const Common& common);

}  // namespace accrete::cli
