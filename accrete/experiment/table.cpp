#include "accrete/experiment/table.hpp"

#include <algorithm>
#include <list>

#include "accrete/experiment/loaded.hpp"
#include "accrete/experiment/outcome.hpp"
#include "accrete/tune/search.hpp"

namespace accrete::experiment {
namespace {

class TableRunner {
 public:
  TableRunner(const ExperimentOptions& options, core::Workers& workers)
      : options_(options), workers_(workers), ledger_(options) {
    for (const PaperTask* task : options.tasks) {
      const LoadedTask& data = loaded_.emplace_back(*task, load(*task, options.folder, workers));
      split_task(data, options.profile.outer, options.seed);  // report errors now and not after hours
      for (const PaperMethod* method : options.methods) ledger_.plan(batch(data, *method));
    }
  }

  RunCounts run() {
    for (const LoadedTask& data : loaded_)
      for (const PaperMethod* method : options_.methods)
        if (!run_cell(data, *method)) return ledger_.counts(true);
    return ledger_.counts(false);
  }

 private:
  RunCounter::FitBatch batch(const LoadedTask& data, const PaperMethod& method) const {
    const Profile& profile = options_.profile;
    const std::size_t points = grid_of(method, data.task.kind, profile).size();
    const std::size_t tests = data.task.training_rows > 0 ? split_task(data, profile.outer, options_.seed).splits.size()
                                                          : profile.repeats * profile.outer;
    return {data.task.name, method.name, tests * (points > 1 ? points * profile.inner + 1 : 1), data.size()};
  }

  bool run_cell(const LoadedTask& data, const PaperMethod& method) {
    const PaperTask& task = data.task;
    tune::SearchOptions search;
    search.grid = grid_of(method, task.kind, options_.profile);
    search.folds = options_.profile.inner;
    search.repeats = options_.profile.repeats;
    search.whole = false;
    search.seed = options_.seed;
    search.records = options_.store;
    search.stop = options_.stop;
    search.comm = options_.comm;
    if (task.training_rows > 0)
      search.outer_splits = split_task(data, options_.profile.outer, options_.seed).splits;
    else
      search.outer = options_.profile.outer;
    search.done = [&](std::size_t done, std::size_t) { ledger_.progress(done); };
    ledger_.begin(batch(data, method));
    const auto made = make_method(method, task.kind, options_.device);
    const auto result = tune::search(data.problem, *made, search, workers_);
    ledger_.end(result.fits, result.found);
    if (!result.stopped) keep_cell(data, method, result);
    return !result.stopped;
  }

  void keep_cell(const LoadedTask& data, const PaperMethod& method, const tune::SearchResult& result) const {
    Cell cell{std::string(options_.profile.name),
              std::string(data.task.name),
              std::string(method.name),
              result.metric,
              data.table.rows(),
              options_.seed,
              method.name == "gbnn" && options_.device ? options_.device->name() : "cpu"};
    for (const tune::OuterFold& fold : result.outer) {
      const auto score = std::ranges::find(fold.metrics, result.metric, &std::pair<std::string, double>::first);
      cell.parts.push_back({fold.repeat, fold.fold, score->second, fold.chosen.settings});
    }
    keep(options_, to_result(cell), {data.task.name, method.name, cell.metric, cell.summary()});
  }

  const ExperimentOptions& options_;
  core::Workers& workers_;
  RunCounter ledger_;
  std::list<LoadedTask> loaded_;
};

}  // namespace

RunCounts run_table(const ExperimentOptions& options, core::Workers& workers) {
  return TableRunner(options, workers).run();
}

}  // namespace accrete::experiment
