#pragma once
// What the experiments' figures over units share.

#include <string>
#include <vector>

#include "accrete/experiment/methods.hpp"
#include "report/chart.hpp"
#include "report/experiment_documents.hpp"
#include "report/page.hpp"

namespace accrete::report {

/// The paper's names; a name that is not in the lists stands for itself.
std::string task_title(const std::string& name);
std::string method_title(const std::string& name);
/// The same for a method in every figure.
std::size_t colour_of(const std::string& method);

/// A line with one standard error as its band, all times `unit`.
Series curve_series(const std::string& name, const UnitsCurve& curve, double unit);

struct NamedCurve {
  std::string name;
  const UnitsCurve* curve;
};

/// Some twenty rows of each curve, its first and last among them.
Table curve_table(const std::vector<NamedCurve>& curves, double unit);

/// Results of one task together, in the order of the paper: tasks, and in them methods.
template <class Result>
std::vector<std::vector<const Result*>> by_task(const std::vector<Result>& results) {
  std::vector<std::string> tasks;
  for (const Result& result : results)
    if (std::ranges::find(tasks, result.task) == tasks.end()) tasks.push_back(result.task);
  std::vector<std::vector<const Result*>> all;
  for (const std::string& task : tasks) {
    auto& here = all.emplace_back();
    for (const experiment::Method& method : experiment::methods())
      for (const Result& result : results)
        if (result.task == task && result.method == method.name) here.push_back(&result);
    if (here.empty()) all.pop_back();
  }
  return all;
}

}  // namespace accrete::report
