#pragma once
// The target of a fit: task, classes, and one number per row and target column.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "accrete/core/matrix.hpp"
#include "accrete/core/message.hpp"
#include "accrete/data/table.hpp"

namespace accrete::data {

enum class Task { regression, binary, multiclass };

const char* task_name(Task task);
Task task_named(std::string_view name);  ///< throws UsageError

struct Target {
  Task task = Task::regression;
  core::Message reason;              ///< why this task was chosen; empty when it was given
  std::vector<std::string> names;    ///< one per target column
  std::vector<std::string> classes;  ///< labels as in the file; empty for regression
  core::Matrix<double> values;       ///< rows x targets; a class index (one column) or the numbers

  /// Scores per row of a network for this target.
  std::size_t outputs() const { return task == Task::multiclass ? classes.size() : names.size(); }
};

/// Reads the target from text columns (see io::CsvOptions::as_text) or numeric ones. Without a task, a label that is
/// not a number means classes, and so do integers with at most 20 distinct values (ambiguous; the reason says so);
/// anything else is regression. Classes are sorted, as numbers if all are numbers. Throws DataError for a missing
/// value, an infinity, fewer than 2 rows or a single class; UsageError for several targets with a classification task,
/// or text in a regression target.
Target read_target(const Table& table, std::span<const std::size_t> columns, std::optional<Task> task);

/// The same with a weight of at least 0 per row. Rows of weight 0 are ignored, except that their labels must be valid;
/// their values are 0. Also throws DataError for a class that has only rows of weight 0.
Target read_target(const Table& table, std::span<const std::size_t> columns, std::optional<Task> task,
                   std::span<const double> weights);

/// Reads the target from another table, with the task and classes of a model. A label is matched as text, then as a
/// number. Throws DataError for a label that is not among the classes.
core::Matrix<double> read_target_as(const Table& table, std::span<const std::size_t> columns, Task task,
                                    std::span<const std::string> classes);

/// "no, yes"; the first ten.
std::string list_names(std::span<const std::string> names);

/// A target some of whose rows have a label that a model does not know.
struct KnownTarget {
  core::Matrix<double> values;           ///< as read_target_as returns them; 0 in the rows of unknown labels
  std::vector<std::size_t> unknown;      ///< those rows, ascending
  std::vector<std::string> labels = {};  ///< the unknown labels, in order of first appearance
};

/// As read_target_as, which throws for the first unknown label only if no row has a known one.
KnownTarget read_known_target(const Table& table, std::span<const std::size_t> columns, Task task,
                              std::span<const std::string> classes);

}  // namespace accrete::data
