#include "accrete/experiment/loaded.hpp"

#include <fmt/format.h>

#include "accrete/boosting/split.hpp"
#include "accrete/core/error.hpp"
#include "accrete/io/csv.hpp"
#include "accrete/tune/stable_hash.hpp"

namespace accrete::experiment {
namespace {

constexpr std::size_t partitions = 10;
constexpr const char* target_column = "target";

/// Reports usage errors as data errors: no user named a column here, so a file without it, or with text in place of
/// numbers, is invalid data.
template <class Read>
auto as_data_error(const Read& read) {
  try {
    return read();
  } catch (const core::UsageError& error) {
    throw core::DataError(error.what());
  }
}

/// Random stratified splits with `training_rows` training rows; the other rows are test rows.
std::vector<data::Split> draw_partitions(const tune::Problem& problem, std::size_t training_rows, std::uint64_t seed) {
  const std::size_t rows = problem.table.rows();
  if (training_rows >= rows)
    throw core::DataError(fmt::format("{}: has {} rows; must have more than the {} training rows of the task",
                                      problem.table.source, rows, training_rows));
  std::vector<double> labels;
  for (std::size_t row = 0; row < rows; ++row) labels.push_back(problem.target.values(row, 0));
  const double tested = static_cast<double>(rows - training_rows) / static_cast<double>(rows);
  std::vector<data::Split> splits;
  for (std::size_t i = 0; i < partitions; ++i)
    splits.push_back(data::holdout(rows, problem.target.classes.empty() ? std::span<const double>() : labels, tested,
                                   tune::StableHash().add(seed).add(i).value()));
  return splits;
}

}  // namespace

LoadedTask::LoadedTask(const PaperTask& its_task, data::Table its_table)
    : task(its_task),
      table(std::move(its_table)),
      problem(as_data_error([&] { return tune::read_problem(table, {target_column}, task.kind); })),
      fingerprint(tune::fingerprint(problem)) {}

double LoadedTask::size() const {
  const std::size_t rows = task.training_rows > 0 ? task.training_rows : table.rows();
  return static_cast<double>(rows * table.columns.size());
}

data::Table load(const PaperTask& task, const std::string& folder, core::Workers& workers) {
  const std::string path = find_data(task, folder);
  io::CsvOptions options;
  if (task.kind != data::Task::regression) options.as_text = {target_column};
  return as_data_error([&] { return io::read_csv(path, options, workers); });
}

TaskSplits split_task(const LoadedTask& data, std::size_t folds, std::uint64_t seed) {
  const std::size_t rows = data.task.training_rows;
  if (rows > 0)
    return {draw_partitions(data.problem, rows, seed),
            fmt::format("partitions={} of {} seed={}", partitions, rows, seed)};
  return {tune::draw_folds(data.problem, boosting::all_rows(data.table.rows()), {folds, seed, 0, /*every_class=*/true}),
          fmt::format("folds={} seed={}", folds, seed)};
}

}  // namespace accrete::experiment
