// Section: critical difference diagrams (Demšar, 2006).

#include "report/experiment/ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "accrete/core/matrix.hpp"
#include "accrete/tune/statistics/friedman.hpp"
#include "accrete/tune/statistics/nemenyi.hpp"
#include "report/charts/text.hpp"
#include "report/experiment/sections.hpp"

namespace accrete::report {
namespace {

constexpr double level = 0.05;

std::vector<const TaskRow*> rows_of(const ProfileTable& table, TaskGroup group,
                                    const std::vector<std::size_t>& methods) {
  std::vector<const TaskRow*> rows;
  for (const TaskRow& row : table.rows)
    if (belongs(row, group) && std::ranges::all_of(methods, [&](std::size_t m) { return row.has(m); }))
      rows.push_back(&row);
  return rows;
}

/// Negated if lower is better. Rounded to nine decimals, so that rounding differences do not break ties.
template <class Score>
core::Matrix<double> score_matrix(const std::vector<const TaskRow*>& rows, const std::vector<std::size_t>& methods,
                                  Score score) {
  core::Matrix<double> scores(rows.size(), methods.size());
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t m = 0; m < methods.size(); ++m)
      scores(r, m) = (rows[r]->higher_is_better() ? 1e-9 : -1e-9) * std::round(1e9 * score(*rows[r], methods[m]));
  return scores;
}

std::string show_p(double p) {
  return p < 1e-4 ? fmt::format("{:.0e}", p) : fmt::format("{:.2g}", p);
}

Figure rank_figure(const RankComparison& compared, TaskGroup group, const experiment::Profile& profile) {
  Ranks chart{.title = fmt::format("Average ranks, {}", group == TaskGroup::all ? "all tasks" : group_name(group))};
  Table numbers{{"method", "average rank", "paper's average rank"}, {}};
  for (std::size_t i = 0; i < compared.methods.size(); ++i) {
    chart.names.emplace_back(experiment::methods()[compared.methods[i]].title);
    chart.ranks.push_back(compared.ranks[i]);
    numbers.rows.push_back(
        {chart.names.back(), fmt::format("{:.2f}", compared.ranks[i]), fmt::format("{:.2f}", compared.paper_ranks[i])});
  }
  chart.critical = compared.critical;
  const std::string f = std::isfinite(compared.f) ? fmt::format("{:.2f}", compared.f) : "infinite";
  return {
      fmt::format("ranks-{}-{}", profile.name, group_name(group)),
      fmt::format("Over {}. Friedman: chi-square {:.2f}, p = {}; Iman and Davenport: F = {}, p = {}.",
                  counted(compared.tasks, "task"), compared.chi_square, show_p(compared.p), f, show_p(compared.f_p)),
      std::move(chart), std::move(numbers)};
}

}  // namespace

const char* group_name(TaskGroup group) {
  switch (group) {
    case TaskGroup::classification:
      return "classification";
    case TaskGroup::regression:
      return "regression";
    case TaskGroup::all:
      return "all";
  }
  return "";
}

bool belongs(const TaskRow& row, TaskGroup group) {
  return group == TaskGroup::all || (group == TaskGroup::classification) == row.higher_is_better();
}

RankComparison compare_ranks(const ProfileTable& table, TaskGroup group) {
  RankComparison compared{.methods = table.methods(), .ranks = {}};
  const auto rows = rows_of(table, group, compared.methods);
  compared.tasks = rows.size();
  if (rows.empty()) return compared;
  const auto ours =
      score_matrix(rows, compared.methods, [](const TaskRow& row, std::size_t m) { return row.shown(m).mean; });
  const auto paper =
      score_matrix(rows, compared.methods, [](const TaskRow& row, std::size_t m) { return row.task->printed[m].mean; });
  compared.ranks = tune::average_ranks(ours, tune::Better::higher);
  compared.paper_ranks = tune::average_ranks(paper, tune::Better::higher);
  if (!compared.tested()) return compared;
  const tune::Friedman test = tune::friedman(ours, tune::Better::higher);
  compared.chi_square = test.chi_square, compared.p = test.p;
  compared.f = test.iman_davenport_f, compared.f_p = test.iman_davenport_p;
  compared.critical = tune::critical_distance(compared.methods.size(), compared.tasks, level);
  return compared;
}

void add_rank_diagrams(Document& document, const ProfileTable& table) {
  document.add(Heading{"Which methods differ", 3});
  document.add(
      Paragraph{"Average ranks over the tasks where every method has a score, after Dem\u0161ar (2006). Methods joined "
                "by a bar do not differ significantly: their ranks are closer than Nemenyi's critical distance at the "
                "5 % level. Friedman's test checks whether any methods differ."});
  for (const TaskGroup group : {TaskGroup::classification, TaskGroup::regression, TaskGroup::all}) {
    const RankComparison compared = compare_ranks(table, group);
    if (compared.tested())
      document.add(rank_figure(compared, group, *table.profile));
    else
      document.add(Paragraph{
          fmt::format("No diagram of {}: it needs at least two methods and two tasks with all scores; there are {}.",
                      group == TaskGroup::all ? "all tasks" : group_name(group), counted(compared.tasks, "task"))});
  }
}

}  // namespace accrete::report
