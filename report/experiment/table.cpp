// Sections: the table of scores and its protocol.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "report/charts/text.hpp"
#include "report/experiment/ranks.hpp"
#include "report/experiment/sections.hpp"

namespace accrete::report {
namespace {

constexpr data::Task kinds[] = {data::Task::binary, data::Task::multiclass, data::Task::regression};

const char* group_title(data::Task kind) {
  switch (kind) {
    case data::Task::binary:
      return "Two classes: accuracy, percent";
    case data::Task::multiclass:
      return "More classes: accuracy, percent";
    case data::Task::regression:
      return "Regression: RMSE";
  }
  return "";
}

/// Compares means as displayed. A row with a single score has no best.
bool is_best(const TaskRow& row, std::size_t method) {
  const double digits = row.higher_is_better() ? 1e2 : 1e3;
  const auto worth = [&](std::size_t m) {
    return (row.higher_is_better() ? 1.0 : -1.0) * std::round(digits * row.shown(m).mean);
  };
  std::size_t others = 0;
  for (std::size_t m = 0; m < row.cells.size(); ++m) {
    if (m == method || !row.has(m)) continue;
    if (worth(m) > worth(method)) return false;
    ++others;
  }
  return others > 0;
}

Entry score_entry(const TaskRow& row, std::size_t method) {
  const std::string paper = show_printed(row, method);
  if (!row.cells[method]) return {"\u2013", paper};
  if (!row.has(method)) return {"a fit failed", paper};
  return {show_score(row, method), paper, is_best(row, method) ? Tone::best : Tone::plain};
}

/// The methods with at least one cell, including failed fits.
std::vector<std::size_t> method_columns(const ProfileTable& table) {
  std::vector<std::size_t> columns;
  for (std::size_t m = 0; m < experiment::methods().size(); ++m)
    if (std::ranges::any_of(table.rows, [m](const TaskRow& row) { return row.cells[m].has_value(); }))
      columns.push_back(m);
  return columns;
}

/// Ranks over the tasks where every method has a score; the paper's over the same tasks.
std::vector<Entry> rank_entries(const ProfileTable& table) {
  const auto compared = compare_ranks(table, TaskGroup::all);
  std::vector<Entry> row{{fmt::format("Mean rank over {}", counted(compared.tasks, "task"))}};
  for (const std::size_t m : method_columns(table)) {
    const auto at = std::ranges::find(compared.methods, m);
    if (at == compared.methods.end() || compared.tasks == 0) {
      row.push_back({"\u2013"});
      continue;
    }
    const auto place = static_cast<std::size_t>(at - compared.methods.begin());
    row.push_back({fmt::format("{:.2f}", compared.ranks[place]), fmt::format("{:.2f}", compared.paper_ranks[place]),
                   compared.ranks[place] == std::ranges::min(compared.ranks) ? Tone::best : Tone::plain});
  }
  return row;
}

/// "hepatitis, ilpd (all methods); german: deep, adam", for methods with at least one score. Empty if none is missing.
std::string missing_cells(const ProfileTable& table) {
  std::vector<std::string_view> tasks;
  std::vector<std::string> cells;
  const auto methods = table.methods();
  for (const TaskRow& row : table.rows) {
    std::vector<std::string_view> names;
    for (const std::size_t m : methods)
      if (!row.cells[m]) names.push_back(experiment::methods()[m].name);
    if (names.size() == methods.size())
      tasks.push_back(row.task->name);
    else if (!names.empty())
      cells.push_back(fmt::format("{}: {}", row.task->name, fmt::join(names, ", ")));
  }
  if (!tasks.empty()) cells.insert(cells.begin(), fmt::format("{} (all methods)", fmt::join(tasks, ", ")));
  return fmt::format("{}", fmt::join(cells, "; "));
}

}  // namespace

void add_score_table(Document& document, const ProfileTable& table) {
  RichTable scores{fmt::format("table-{}", table.profile->name), {"task"}, {}, ""};
  const auto columns = method_columns(table);
  for (const std::size_t m : columns) scores.header.emplace_back(experiment::methods()[m].title);
  for (const data::Task kind : kinds) {
    scores.rows.push_back({{group_title(kind)}});
    for (const TaskRow& row : table.rows) {
      if (row.task->kind != kind) continue;
      auto& entries = scores.rows.emplace_back();
      entries.push_back({std::string(row.task->title)});
      for (const std::size_t m : columns) entries.push_back(score_entry(row, m));
    }
  }
  if (columns.size() > 1) {
    scores.rows.push_back({{"All"}});
    scores.rows.push_back(rank_entries(table));
  }
  document.add(
      Paragraph{"Mean (standard deviation) over the test folds; the paper's values are below in small type. The best "
                "mean of each row is bold and shaded. Rank 1 is best."});
  document.add(std::move(scores));
}

void add_protocol(Document& document, const ProfileTable& table) {
  const std::string name{table.profile->name};
  RichTable grids{"grids-" + name, {"method", "two classes", "more classes", "regression"}, {}, "Parameter grids"};
  for (const std::size_t m : table.methods()) {
    const experiment::PaperMethod& method = experiment::methods()[m];
    auto& row = grids.rows.emplace_back();
    row.push_back({std::string(method.title), std::string(method.summary)});
    for (const data::Task kind : kinds) {
      const std::string grid = experiment::show_grid(experiment::grid_of(method, kind, *table.profile));
      row.push_back({grid.empty() ? "none" : grid});
    }
  }
  document.add(std::move(grids));
  RichTable remarks{"remarks-" + name, {"task", "remark"}, {}, "Differences from the paper's data"};
  for (const TaskRow& row : table.rows) {
    const auto rows = row.rows();
    if (!rows) continue;
    if (!row.task->remark.empty())
      remarks.rows.push_back({{std::string(row.task->title)}, {std::string(row.task->remark)}});
    if (*rows != row.task->rows)
      remarks.rows.push_back(
          {{std::string(row.task->title)}, {fmt::format("{} rows; the original data has {}", *rows, row.task->rows)}});
  }
  document.add(std::move(remarks));
  if (const std::string missing = missing_cells(table); !missing.empty())
    document.add(Paragraph{fmt::format("Not in the store: {}.", missing)});
}

}  // namespace accrete::report
