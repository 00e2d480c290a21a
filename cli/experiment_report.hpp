#pragma once
// accrete experiment report. experiment_report.cpp is compiled where pages are written, no_experiment_report.cpp where
// they are not.

#include "cli/command.hpp"

namespace accrete::cli {

Run add_experiment_report(CLI::App& app, const Common& common);

}  // namespace accrete::cli
