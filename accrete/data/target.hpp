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
  core::Message reason;              ///< why this task was chosen; empty if it was given
  std::vector<std::string> names;    ///< one per target column
  std::vector<std::string> classes;  ///< labels as in the file; empty for regression
  core::Matrix<double> values;       ///< rows x targets; a class index (one column) or the numbers

  /// Scores per row that a network for this target has.
  std::size_t outputs() const { return task == Task::multiclass ? classes.size() : names.size(); }
};

/// Reads the target from text columns (see io::CsvOptions::as_text) or numeric ones. If no task is given, a label that
/// is not a number implies classes, and so do integers with at most 20 distinct values (ambiguous, as the reason says);
/// anything else is regression. Classes are sorted, numerically if all are numbers. Throws DataError for a missing
/// value, an infinity, fewer than 2 rows or a single class; UsageError for several targets with a classification task,
/// or text in a regression target.
Target read_target(const Table& table, std::span<const std::size_t> columns, std::optional<Task> task);

/// The same with a nonnegative weight per row. Rows of weight 0 are ignored, but their labels must be valid; their
/// values are 0. Also throws DataError for a class that has only rows of weight 0.
Target read_target(const Table& table, std::span<const std::size_t> columns, std::optional<Task> task,
                   std::span<const double> weights);

/// Reads the target from another table, with the task and classes of a model. Labels match as text first, then as
/// numbers. Throws DataError for a label that is not among the classes.
core::Matrix<double> read_target_as(const Table& table, std::span<const std::size_t> columns, Task task,
                                    std::span<const std::string> classes);

/// "no, yes"; the first ten.
std::string list_names(std::span<const std::string> names);

/// A target in which some rows have a label that the model does not know.
struct KnownTarget {
  core::Matrix<double> values;           ///< as read_target_as returns them; 0 for rows with unknown labels
  std::vector<std::size_t> unknown;      ///< those rows, ascending
  std::vector<std::string> labels = {};  ///< the unknown labels, in order of first appearance
};

/// As read_target_as, but throws for an unknown label only if no row has a known one.
KnownTarget read_known_target(const Table& table, std::span<const std::size_t> columns, Task task,
                              std::span<const std::string> classes);

}  // namespace accrete::data
