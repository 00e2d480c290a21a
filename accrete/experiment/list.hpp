#pragma once
// The list of experiments. To add one, write a file like the existing ones and add one line to list.cpp.

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
  std::span<const std::string_view> tasks;    ///< that the experiment supports; empty: all of experiment/tasks
  std::span<const std::string_view> methods;  ///< that the experiment supports; empty: all of experiment/methods
  bool needs_data;
  bool shares_fits;  ///< can run across ranks
  RunCounts (*run)(const ExperimentOptions& options, core::Workers& workers);
};

std::span<const Experiment> experiments();

/// Throws UsageError that lists the names.
const Experiment& experiment_named(std::string_view name);

/// Sets the tasks and methods of the options: the named ones or, if none are named, all that the experiment supports.
/// Throws UsageError for one that it does not support, listing those it does.
void choose(const Experiment& experiment, const std::vector<std::string>& tasks,
            const std::vector<std::string>& methods, ExperimentOptions& options);

}  // namespace accrete::experiment
