#pragma once
// The results of a store in the order of the paper's table.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "accrete/experiment/methods.hpp"
#include "accrete/experiment/outcome.hpp"
#include "accrete/experiment/tasks.hpp"
#include "accrete/tune/statistics/ranks.hpp"

namespace accrete::report {

/// One task. Missing cells and non-finite scores are excluded from ranks.
struct TaskRow {
  const experiment::PaperTask* task = nullptr;
  std::vector<std::optional<experiment::Cell>> cells;  ///< in the order of experiment::methods()

  bool higher_is_better() const { return task->kind != data::Task::regression; }
  bool has(std::size_t method) const;
  std::optional<std::size_t> rows() const;  ///< of the data; nullopt without cells
  /// The score in the paper's units: accuracy in percent, or RMSE. The cell must exist.
  tune::Summary shown(std::size_t method) const;
};

/// All tasks, including those without cells.
struct ProfileTable {
  const experiment::Profile* profile = nullptr;
  std::vector<TaskRow> rows;

  std::vector<std::size_t> methods() const;  ///< methods with at least one score
  std::size_t cells() const;                 ///< number of results
};

/// One per profile, in the order of experiment::profiles(). Throws FileError for an unreadable document, an unknown
/// profile, task or method, and cells of one task with different seeds or rows.
std::vector<ProfileTable> profile_tables(const std::vector<store::Result>& results);

/// "85.91 (4.81)", "0.431 (0.080)": mean and standard deviation.
std::string show_score(const TaskRow& row, std::size_t method);
/// The published score, with its number of digits.
std::string show_printed(const TaskRow& row, std::size_t method);

}  // namespace accrete::report
