#pragma once
// The experiments. A new one is a file like its neighbours and one line in list.cpp.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "accrete/core/parallel.hpp"
#include "accrete/experiment/run.hpp"

namespace accrete::experiment {

struct Experiment {
  std::string_view name;
  std::string_view summary;
  std::span<const std::string_view> tasks;    ///< those it has; empty: all of experiment/tasks
  std::span<const std::string_view> methods;  ///< those it has; empty: all of experiment/methods
  bool needs_data;
  bool shares_fits;  ///< runs across ranks
  RunCounts (*run)(const RunOptions& options, core::Workers& workers);
};

std::span<const Experiment> experiments();

/// Throws UsageError listing the names.
const Experiment& experiment_named(std::string_view name);

/// Tasks and methods of the experiment into the options: the named ones, or all that it has where none is named. Throws
/// UsageError for one that it does not have, listing those it has.
void choose(const Experiment& experiment, const std::vector<std::string>& tasks,
            const std::vector<std::string>& methods, RunOptions& options);

}  // namespace accrete::experiment
