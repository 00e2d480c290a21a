// The experiments' results as CSV.

#include <fmt/format.h>

#include <cmath>

#include "report/experiment/page.hpp"

namespace accrete::report {
namespace {

/// Calls `visit` for every cell that has a result.
template <class Visit>
void for_each_cell(const std::vector<ProfileResults>& profiles, Visit visit) {
  for (const ProfileResults& p : profiles)
    for (const TaskRow& row : p.table.rows)
      for (std::size_t m = 0; m < row.cells.size(); ++m)
        if (row.cells[m]) visit(p, row, m);
}

/// Nine decimals, which hides rounding differences. Empty for NaN.
std::string number(double value) {
  return std::isnan(value) ? "" : fmt::format("{:.12g}", std::round(1e9 * value) / 1e9);
}

}  // namespace

std::string table_csv(const std::vector<ProfileResults>& profiles) {
  std::string text = "profile,task,kind,method,metric,mean,sd,se,parts,paper_mean,paper_sd\n";
  for_each_cell(profiles, [&](const ProfileResults& p, const TaskRow& row, std::size_t m) {
    const tune::Summary score = row.shown(m);
    const auto& printed = row.task->printed[m];
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", p.table.profile->name, row.task->name,
                        data::task_name(row.task->kind), experiment::methods()[m].name,
                        row.higher_is_better() ? "accuracy_percent" : "rmse", number(score.mean), number(score.sd),
                        number(score.se), row.cells[m]->parts.size(), number(printed.mean), number(printed.sd));
  });
  return text;
}

std::string scores_csv(const std::vector<ProfileResults>& profiles) {
  std::string text = "profile,task,method,repeat,fold,score,settings\n";
  for_each_cell(profiles, [&](const ProfileResults& p, const TaskRow& row, std::size_t m) {
    for (const experiment::TestPart& part : row.cells[m]->parts) {
      std::string settings;
      for (const auto& [name, value] : part.settings)
        settings += fmt::format("{}{}={}", settings.empty() ? "" : ";", name, value);
      text +=
          fmt::format("{},{},{},{},{},{},{}\n", p.table.profile->name, row.task->name, experiment::methods()[m].name,
                      part.repeat, part.fold, number((row.higher_is_better() ? 100.0 : 1.0) * part.score), settings);
    }
  });
  return text;
}

}  // namespace accrete::report
