#pragma once
// What is to be predicted: the task, the classes, and one number per row and target.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "accrete/core/matrix.hpp"
#include "accrete/data/table.hpp"

namespace accrete::data {

enum class Task { regression, binary, multiclass };

const char* task_name(Task task);
Task task_named(std::string_view name);  ///< throws UsageError

struct Target {
  Task task = Task::regression;
  std::string reason;                ///< why this task: one clause for the user, "" when it was given
  std::vector<std::string> names;    ///< one per target column
  std::vector<std::string> classes;  ///< labels as they were written; empty for regression
  core::Matrix<double> values;       ///< rows x targets; a class index (one column) or the numbers

  /// Scores per row of a network for this target.
  std::size_t outputs() const { return task == Task::multiclass ? classes.size() : names.size(); }
};

/// Reads the target from text columns (see io::CsvOptions::as_text) or numeric ones. Without a task, chooses:
/// any label that is not a number means classes; whole numbers with at most 20 distinct values too (the ambiguous
/// case; reason says so); else regression. Classes are sorted, numerically when all are numbers.
/// Throws DataError for a missing value (row named), an infinity, fewer than 2 rows or a single class; UsageError for
/// several targets with a classification task, or text in a regression target.
Target read_target(const Table& table, std::span<const std::size_t> columns, std::optional<Task> task);

/// The same where each row of the table has a weight, 0 or above, and rows of weight 0 count as absent: all follows
/// from the others, and the values of these are 0. All labels must still be readable. Throws DataError as well when a
/// class has rows of weight 0 only.
Target read_target(const Table& table, std::span<const std::size_t> columns, std::optional<Task> task,
                   std::span<const double> weights);

/// Reads the same target from another table, to the classes and task of a model. A label is matched as text, then
/// as a number. Throws DataError for a label the model does not know, naming row and label.
core::Matrix<double> read_target_as(const Table& table, std::span<const std::size_t> columns, Task task,
                                    std::span<const std::string> classes);

}  // namespace accrete::data
