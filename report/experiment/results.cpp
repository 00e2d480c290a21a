#include "report/experiment/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "accrete/core/error.hpp"

namespace accrete::report {
namespace {

/// Throws FileError for an unknown name, because a newer version may have written the store.
template <class List>
std::size_t index_in(const List& list, const std::string& name, const experiment::Cell& cell) {
  const auto at = std::ranges::find(list, name, [](const auto& item) { return item.name; });
  if (at == std::end(list))
    throw core::FileError(fmt::format("store: result of {} on {} ({}): '{}' is unknown to this version", cell.method,
                                      cell.task, cell.profile, name));
  return static_cast<std::size_t>(at - std::begin(list));
}

ProfileTable empty_table(const experiment::Profile& profile) {
  ProfileTable table{&profile, {}};
  for (const experiment::PaperTask& task : experiment::tasks())
    table.rows.push_back({&task, std::vector<std::optional<experiment::Cell>>(experiment::methods().size())});
  return table;
}

/// Scores are compared fold by fold, which requires identical folds.
void check_comparable(const TaskRow& row, const experiment::Profile& profile) {
  const experiment::Cell* first = nullptr;
  for (const auto& cell : row.cells) {
    if (!cell) continue;
    if (!first) first = &*cell;
    if (cell->seed != first->seed || cell->rows != first->rows)
      throw core::FileError(fmt::format(
          "store: results on {} ({}) cannot be compared: {} has seed {} and {} rows, {} has seed {} and {} rows",
          row.task->name, profile.name, first->method, first->seed, first->rows, cell->method, cell->seed, cell->rows));
  }
}

}  // namespace

bool TaskRow::has(std::size_t method) const {
  return cells[method] && std::isfinite(cells[method]->summary().mean);
}

tune::Summary TaskRow::shown(std::size_t method) const {
  const tune::Summary summary = cells[method]->summary();
  const double unit = higher_is_better() ? 100.0 : 1.0;
  return {unit * summary.mean, unit * summary.sd, unit * summary.se};
}

std::optional<std::size_t> TaskRow::rows() const {
  for (const auto& cell : cells)
    if (cell) return cell->rows;
  return std::nullopt;
}

std::vector<std::size_t> ProfileTable::methods() const {
  std::vector<std::size_t> there;
  for (std::size_t m = 0; m < experiment::methods().size(); ++m)
    if (std::ranges::any_of(rows, [m](const TaskRow& row) { return row.has(m); })) there.push_back(m);
  return there;
}

std::size_t ProfileTable::cells() const {
  std::size_t count = 0;
  for (const TaskRow& row : rows)
    for (const auto& cell : row.cells) count += cell.has_value();
  return count;
}

std::vector<ProfileTable> profile_tables(const std::vector<store::Result>& results) {
  std::vector<ProfileTable> all;
  for (const experiment::Profile& profile : experiment::profiles()) all.push_back(empty_table(profile));
  for (experiment::Cell& cell : experiment::read_cells(results)) {
    const std::size_t profile = index_in(experiment::profiles(), cell.profile, cell);
    const std::size_t task = index_in(experiment::tasks(), cell.task, cell);
    const std::size_t method = index_in(experiment::methods(), cell.method, cell);
    all[profile].rows[task].cells[method] = std::move(cell);
  }
  for (const ProfileTable& table : all)
    for (const TaskRow& row : table.rows) check_comparable(row, *table.profile);
  return all;
}

std::string show_score(const TaskRow& row, std::size_t method) {
  const tune::Summary score = row.shown(method);
  return fmt::format("{0:.{2}f} ({1:.{2}f})", score.mean, score.sd, row.higher_is_better() ? 2 : 3);
}

std::string show_printed(const TaskRow& row, std::size_t method) {
  const auto& printed = row.task->printed[method];
  return fmt::format("{:.2f} ({:.2f})", printed.mean, printed.sd);
}

}  // namespace accrete::report
