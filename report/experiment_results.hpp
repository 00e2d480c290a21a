#pragma once
// The results of a store, put in the order of the paper.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "accrete/experiment/methods.hpp"
#include "accrete/experiment/outcome.hpp"
#include "accrete/experiment/tasks.hpp"
#include "accrete/tune/ranks.hpp"

namespace accrete::report {

/// One task. A cell that is not there, or whose score is no number, takes no part in ranks.
struct TaskRow {
  const experiment::Task* task = nullptr;
  std::vector<std::optional<experiment::Cell>> cells;  ///< in the order of experiment::methods()

  bool higher_is_better() const { return task->kind != data::Task::regression; }
  bool has(std::size_t method) const;
  std::optional<std::size_t> rows() const;  ///< of the data; nothing where there is no cell
  /// As it is shown and printed in the paper: accuracy in per cent, or RMSE. Asks for a cell that is there.
  tune::Summary shown(std::size_t method) const;
};

/// All tasks, those without any cell among them.
struct ProfileTable {
  const experiment::Profile* profile = nullptr;
  std::vector<TaskRow> rows;

  std::vector<std::size_t> methods() const;  ///< those that have a cell somewhere
  std::size_t cells() const;                 ///< how many are there
};

/// One per profile, in the order of experiment::profiles(), whether it has cells or not. Throws FileError for a
/// document that cannot be read, of a profile, task or method that is unknown, and for cells of one task that are of
/// different seeds or rows.
std::vector<ProfileTable> profile_tables(const std::vector<store::Result>& results);

/// "85.91 ± 4.81", "0.431 ± 0.080": mean and standard deviation.
std::string show_score(const TaskRow& row, std::size_t method);
/// The paper's, with the digits it has.
std::string show_printed(const TaskRow& row, std::size_t method);

}  // namespace accrete::report
