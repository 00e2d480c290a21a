#include "accrete/experiment/list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "accrete/core/error.hpp"
#include "accrete/experiment/boundary.hpp"
#include "accrete/experiment/curves.hpp"
#include "accrete/experiment/named.hpp"
#include "accrete/experiment/table.hpp"
#include "accrete/experiment/times.hpp"

namespace accrete::experiment {
namespace {

constexpr std::string_view boundary_tasks[] = {boundary_task};
constexpr std::string_view boundary_methods[] = {"gbnn", "adam"};

constexpr Experiment all_experiments[] = {
    {"table",
     "accuracy or RMSE of six methods on 26 tasks, settings chosen inside each training part",
     {},
     {},
     true,
     true,
     run_table},
    {"curves", "accuracy or RMSE against units: one network that grows, and one for each number of units", curve_tasks,
     curve_methods, true, true, run_curves},
    {"times",
     "seconds of a fit: against units on two tasks, and at 200 units on all; one fit at a time",
     {},
     time_methods,
     true,
     false,
     run_times},
    {"boundary", "what a network of 1, 2, 3, 4 and 100 units makes of two clouds in the plane", boundary_tasks,
     boundary_methods, false, false, run_boundary},
};

/// The given names, checked and without duplicates; if none are given, all names.
std::vector<std::string> some_of(const std::vector<std::string>& given, std::span<const std::string_view> there,
                                 const Experiment& experiment, const char* what) {
  if (given.empty()) return {there.begin(), there.end()};
  std::vector<std::string> names;
  for (const std::string& name : given) {
    if (!there.empty() && std::ranges::find(there, name) == there.end())
      throw core::UsageError(fmt::format("the experiment {} has no {} '{}'; it has {}", experiment.name, what, name,
                                         fmt::join(there, ", ")));
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

}  // namespace

std::span<const Experiment> experiments() {
  return all_experiments;
}

const Experiment& experiment_named(std::string_view name) {
  return find_named(all_experiments, name, "experiment");
}

void choose(const Experiment& experiment, const std::vector<std::string>& task_names,
            const std::vector<std::string>& method_names, ExperimentOptions& options) {
  options.tasks.clear();
  options.methods.clear();
  for (const auto& name : some_of(task_names, experiment.tasks, experiment, "task"))
    if (experiment.needs_data) options.tasks.push_back(&task_named(name));
  for (const auto& name : some_of(method_names, experiment.methods, experiment, "method"))
    options.methods.push_back(&method_named(name));
  if (task_names.empty() && experiment.tasks.empty())
    for (const PaperTask& task : tasks()) options.tasks.push_back(&task);
  if (method_names.empty() && experiment.methods.empty())
    for (const PaperMethod& method : methods()) options.methods.push_back(&method);
}

}  // namespace accrete::experiment
