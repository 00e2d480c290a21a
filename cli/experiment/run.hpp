#pragma once
// accrete experiment run NAME.

#include <cstdint>
#include <string>
#include <vector>

#include "accrete/comm/communicator.hpp"
#include "cli/command.hpp"

namespace accrete::cli {

struct ExperimentFlags {
  std::string name, folder, store, profile = "quick", device = "cpu";
  std::vector<std::string> tasks, methods;
  std::uint64_t seed = 0;
};

void add_experiment_run(CLI::App& app, ExperimentFlags& flags);

/// Across ranks, rank 0 has the store and prints. Throws the experiment's errors, and Interrupted after Ctrl-C.
void run_experiment(const ExperimentFlags& flags, const Common& common, comm::Communicator& comm);

}  // namespace accrete::cli
