#pragma once
// A task's data, and its splits into training and test rows.

#include <cstdint>
#include <string>
#include <vector>

#include "accrete/core/parallel.hpp"
#include "accrete/data/split.hpp"
#include "accrete/data/table.hpp"
#include "accrete/experiment/tasks.hpp"
#include "accrete/tune/problem.hpp"

namespace accrete::experiment {

/// Data shared by all methods on a task. Cannot be moved, because the problem points to the table.
struct LoadedTask {
  /// Throws DataError for a table without a column 'target' of the task's kind.
  LoadedTask(const PaperTask& its_task, data::Table its_table);
  LoadedTask(const LoadedTask&) = delete;
  LoadedTask& operator=(const LoadedTask&) = delete;

  /// Cells of the training rows: the work of a fit, relative to other tasks.
  double size() const;

  const PaperTask& task;
  data::Table table;
  tune::Problem problem;
  std::uint64_t fingerprint;
};

/// Reads the file of the task in this folder. Throws FileError if it is missing, and FileError or DataError as reading
/// does.
data::Table load(const PaperTask& task, const std::string& folder, core::Workers& workers);

/// Splits, and a text that identifies them so that records of other splits are not reused.
struct TaskSplits {
  std::vector<data::Split> splits;
  std::string text;
};

/// Stratified folds, or ten random partitions if the task fixes the number of training rows. Throws as tune::draw_folds
/// does, and DataError for a table with too few rows.
TaskSplits split_task(const LoadedTask& data, std::size_t folds, std::uint64_t seed);

}  // namespace accrete::experiment
