#include "accrete/experiment/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <list>

#include "accrete/boosting/prepare.hpp"
#include "accrete/core/error.hpp"
#include "accrete/io/csv.hpp"
#include "accrete/tune/problem.hpp"
#include "accrete/tune/search.hpp"
#include "accrete/tune/stable_hash.hpp"

namespace accrete::experiment {
namespace {

constexpr std::size_t partitions = 10;
constexpr const char* target_column = "target";

/// A task's data, which every method on it shares. It stays where it is made: the problem points to the table.
struct Loaded {
  Loaded(const Task& its_task, data::Table its_table)
      : task(its_task), table(std::move(its_table)), problem(tune::read_problem(table, {target_column}, task.kind)) {}

  const Task& task;
  data::Table table;
  tune::Problem problem;
};

data::Table load(const Task& task, const std::string& folder, core::Workers& workers) {
  const std::string path = find_data(task, folder);
  const bool classes = task.kind != data::Task::regression;
  io::CsvOptions options;
  if (classes) options.as_text = {target_column};
  return io::read_csv(path, options, workers);
}

/// So many rows to train on, drawn anew each time, each class in proportion; the others to test on.
std::vector<data::Split> draw_partitions(const tune::Problem& problem, std::size_t training_rows, std::uint64_t seed) {
  const std::size_t rows = problem.table.rows();
  if (training_rows >= rows)
    throw core::DataError(
        fmt::format("{}: has {} rows, and {} are to be trained on", problem.table.source, rows, training_rows));
  std::vector<double> labels;
  for (std::size_t row = 0; row < rows; ++row) labels.push_back(problem.target.values(row, 0));
  const double tested = static_cast<double>(rows - training_rows) / static_cast<double>(rows);
  std::vector<data::Split> splits;
  for (std::size_t i = 0; i < partitions; ++i)
    splits.push_back(data::holdout(rows, problem.target.classes.empty() ? std::span<const double>() : labels, tested,
                                   tune::StableHash().add(seed).add(i).value()));
  return splits;
}

class TableRunner {
 public:
  TableRunner(const TableOptions& options, core::Workers& workers) : options_(options), workers_(workers) {
    for (const Task* task : options.tasks) {
      const Loaded& data = loaded_.emplace_back(*task, load(*task, options.folder, workers));
      outer_splits(data);  // what is wrong with them is better said now than after hours
      for (const Method* method : options.methods) {
        standing_.planned += planned(*task, *method);
        all_work_ += work(data, *method);
      }
    }
  }

  TableRun run() {
    for (const Loaded& data : loaded_)
      for (const Method* method : options_.methods)
        if (!run_cell(data, *method)) return {standing_.fits, found_, standing_.planned, true};
    return {standing_.fits, found_, standing_.planned, false};
  }

 private:
  std::vector<data::Split> outer_splits(const Loaded& data) const {
    if (data.task.training_rows > 0) return draw_partitions(data.problem, data.task.training_rows, options_.seed);
    return tune::draw_folds(data.problem, boosting::all_rows(data.table.rows()),
                            {options_.profile.outer, options_.seed, 0});
  }

  std::size_t test_parts(const Task& task) const {
    return task.training_rows > 0 ? partitions : options_.profile.repeats * options_.profile.outer;
  }

  std::size_t planned(const Task& task, const Method& method) const {
    const std::size_t points = grid_of(method, task.kind, options_.profile).size();
    return test_parts(task) * (points > 1 ? points * options_.profile.inner + 1 : 1);
  }

  double work(const Loaded& data, const Method& method) const {
    const std::size_t rows = data.task.training_rows > 0 ? data.task.training_rows : data.table.rows();
    return static_cast<double>(planned(data.task, method) * rows * data.table.columns.size());
  }

  bool run_cell(const Loaded& data, const Method& method) {
    const Task& task = data.task;
    const std::size_t before = standing_.fits;
    const double whole = work(data, method);
    tune::SearchOptions search;
    search.grid = grid_of(method, task.kind, options_.profile);
    search.folds = options_.profile.inner;
    search.repeats = options_.profile.repeats;
    search.whole = false;
    search.seed = options_.seed;
    search.records = options_.store;
    search.stop = options_.stop;
    if (task.training_rows > 0)
      search.partitions = outer_splits(data);
    else
      search.outer = options_.profile.outer;
    search.done = [&](std::size_t done, std::size_t of) {
      standing_.fits = before + done;
      standing_.task = &task;
      standing_.method = &method;
      standing_.work = (work_done_ + whole * static_cast<double>(done) / static_cast<double>(of)) / all_work_;
      if (options_.news) options_.news(standing_);
    };
    const auto made = make_method(method, task.kind, options_.machine);
    const auto result = tune::search(data.problem, *made, search, workers_);
    standing_.fits = before + result.fits;
    found_ += result.found;
    work_done_ += whole;
    if (!result.stopped) keep(data, method, result);
    return !result.stopped;
  }

  void keep(const Loaded& data, const Method& method, const tune::SearchResult& result) {
    Cell cell{std::string(options_.profile.name),
              std::string(data.task.name),
              std::string(method.name),
              result.metric,
              data.table.rows(),
              options_.seed};
    for (const tune::OuterFold& fold : result.outer) {
      const auto score = std::ranges::find(fold.metrics, result.metric, &std::pair<std::string, double>::first);
      cell.parts.push_back({fold.repeat, fold.fold, score->second, fold.chosen.settings});
    }
    options_.store->keep_result(to_result(cell));
    if (options_.kept) options_.kept(cell);
  }

  const TableOptions& options_;
  core::Workers& workers_;
  std::list<Loaded> loaded_;
  Standing standing_;
  std::size_t found_ = 0;
  double all_work_ = 0.0, work_done_ = 0.0;
};

}  // namespace

TableRun run_table(const TableOptions& options, core::Workers& workers) {
  return TableRunner(options, workers).run();
}

}  // namespace accrete::experiment
