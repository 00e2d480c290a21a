#pragma once
// What the experiments' figures over units share.

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "report/chart.hpp"
#include "report/experiment_documents.hpp"
#include "report/page.hpp"

namespace accrete::report {

/// "times-quick-wine-red": the name of a figure, of its parts.
std::string figure_id(std::string_view kind, std::string_view profile, std::string_view rest);

/// The paper's names; a name that is not in the lists stands for itself.
std::string task_title(const std::string& name);
std::string method_title(const std::string& name);
/// Its place in the paper's columns; of an unknown one, after all of them. Also its colour in every figure.
std::size_t place_of_method(const std::string& name);

/// A line with one standard error as its band, all times `unit`.
Series curve_series(const std::string& name, const UnitsCurve& curve, double unit);

struct NamedCurve {
  std::string name;
  const UnitsCurve* curve;
};

/// Some twenty rows of each curve, its first and last among them.
Table curve_table(const std::vector<NamedCurve>& curves, double unit);

/// Its place in the paper; of one that the paper's table does not have, after all of those.
std::size_t place_of_task(const std::string& name);

/// Results of one task together, in the order of the paper: tasks, and in them methods.
template <class Result>
std::vector<std::vector<const Result*>> by_task(const std::vector<Result>& results) {
  std::vector<const Result*> sorted;
  for (const Result& result : results) sorted.push_back(&result);
  std::ranges::stable_sort(sorted, {}, [](const Result* result) {
    return std::tuple(place_of_task(result->task), result->task, place_of_method(result->method));
  });
  std::vector<std::vector<const Result*>> all;
  for (const Result* result : sorted) {
    if (all.empty() || all.back().front()->task != result->task) all.emplace_back();
    all.back().push_back(result);
  }
  return all;
}

}  // namespace accrete::report
