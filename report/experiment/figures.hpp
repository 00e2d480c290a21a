#pragma once
// Shared by the experiments' figures.

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "report/charts/chart.hpp"
#include "report/experiment/documents.hpp"
#include "report/pages/page.hpp"

namespace accrete::report {

/// "times-quick-wine-red"
std::string figure_id(std::string_view kind, std::string_view profile, std::string_view rest);

/// The paper's names; an unknown name is returned unchanged.
std::string task_title(const std::string& name);
std::string method_title(const std::string& name);
/// The index of its column in the paper, also its colour; an unknown method comes last.
std::size_t method_index(const std::string& name);

/// A line with a band of one standard error, multiplied by `unit`.
Series curve_series(const std::string& name, const UnitsCurve& curve, double unit);

struct NamedCurve {
  std::string name;
  const UnitsCurve* curve;
};

/// About twenty rows per curve, including the first and the last.
Table curve_table(const std::vector<NamedCurve>& curves, double unit);

/// The index of its row in the paper's table; an unknown task comes last.
std::size_t task_index(const std::string& name);

/// Results grouped by task, with tasks and methods in the paper's order.
template <class Result>
std::vector<std::vector<const Result*>> by_task(const std::vector<Result>& results) {
  std::vector<const Result*> sorted(results.size());
  std::ranges::transform(results, sorted.begin(), [](const Result& result) { return &result; });
  std::ranges::stable_sort(sorted, {}, [](const Result* result) {
    return std::tuple(task_index(result->task), result->task, method_index(result->method));
  });
  std::vector<std::vector<const Result*>> all;
  for (const Result* result : sorted) {
    if (all.empty() || all.back().front()->task != result->task) all.emplace_back();
    all.back().push_back(result);
  }
  return all;
}

}  // namespace accrete::report
