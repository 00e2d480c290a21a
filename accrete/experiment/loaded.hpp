#pragma once
// A task's data, and the ways of cutting it into rows to train on and rows to test on.

#include <cstdint>
#include <string>
#include <vector>

#include "accrete/core/parallel.hpp"
#include "accrete/data/split.hpp"
#include "accrete/data/table.hpp"
#include "accrete/experiment/tasks.hpp"
#include "accrete/tune/problem.hpp"

namespace accrete::experiment {

/// What every method on a task shares. It stays where it is made: the problem points to the table.
struct LoadedTask {
  /// Throws DataError for a table without a column 'target' of the task's kind.
  LoadedTask(const Task& its_task, data::Table its_table);
  LoadedTask(const LoadedTask&) = delete;
  LoadedTask& operator=(const LoadedTask&) = delete;

  /// Cells of the rows that a fit sees: how much work it is, beside other tasks.
  double size() const;

  const Task& task;
  data::Table table;
  tune::Problem problem;
  std::uint64_t fingerprint;
};

/// The file of the task in that folder. Throws FileError or DataError as finding and reading it do.
data::Table load(const Task& task, const std::string& folder, core::Workers& workers);

/// Splits, and a text that identifies them so that records of other splits are not reused.
struct TaskSplits {
  std::vector<data::Split> splits;
  std::string text;
};

/// Stratified folds, or ten random partitions if the task fixes the number of training rows. Throws as tune::draw_folds
/// does, and DataError for a table with too few rows.
TaskSplits cut(const LoadedTask& data, std::size_t folds, std::uint64_t seed);

}  // namespace accrete::experiment
