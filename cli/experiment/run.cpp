#include "cli/experiment/run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "accrete/comm/agree.hpp"
#include "accrete/core/error.hpp"
#include "accrete/experiment/list.hpp"
#include "accrete/store/store.hpp"
#include "cli/support/device.hpp"
#include "cli/support/interrupt.hpp"
#include "cli/support/options.hpp"
#include "cli/support/print.hpp"
#include "cli/support/progress.hpp"
#include "cli/support/ranks.hpp"

namespace accrete::cli {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The progress bar of a run and a line per finished result.
class RunMonitor {
 public:
  explicit RunMonitor(const Common& common) : common_(common), bar_(common) {}

  void update(const experiment::RunProgress& at) {
    bar_.update(static_cast<std::size_t>(at.work * 1e6), 1'000'000,
                fmt::format("{}, {} {}", count_.show(at.fits, at.planned), at.task, at.method));
  }

  void kept(const experiment::StoredResult& kept) {
    bar_.clear();
    const std::string figure = kept.summary.se > 0.0 ? show_with_error(kept.metric, kept.summary)
                                                     : show_metric(kept.metric, kept.summary.mean);
    note(common_, fmt::format("{} {}: {}{}, after {}", kept.task, kept.method, figure,
                              kept.metric == "seconds" ? " s" : "", show_seconds(seconds_since(start_))));
  }

 private:
  const Common& common_;
  ProgressBar bar_;
  FitCount count_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

struct RunSummary {
  const experiment::ExperimentOptions& options;
  const experiment::RunCounts& counts;
  double seconds;
};

void print_summary(const ExperimentFlags& flags, const Common& common, const RunSummary& s) {
  if (common.json)
    return print_json({{"experiment", flags.name},
                       {"profile", flags.profile},
                       {"tasks", s.options.tasks.size()},
                       {"methods", s.options.methods.size()},
                       {"fits", s.counts.planned},
                       {"found", s.counts.found},
                       {"seconds", s.seconds},
                       {"store", flags.store}});
  const std::size_t tasks = s.options.tasks.size(), methods = s.options.methods.size();
  print(list_facts(
      {{"experiment", fmt::format("{}, profile {}", flags.name, flags.profile)},
       {"cells", tasks > 0 ? fmt::format("{} tasks x {} methods", tasks, methods) : fmt::format("{} methods", methods)},
       {"fits", fmt::format("{}, of which {} were found in the store", s.counts.planned, s.counts.found)},
       {"time", show_seconds(s.seconds)},
       {"next", fmt::format("accrete experiment report --store {} -o report/", flags.store)}}));
}

}  // namespace

void add_experiment_run(CLI::App& app, ExperimentFlags& flags) {
  app.add_option("name", flags.name, "experiment name (see accrete experiment list)")->required()->type_name("NAME");
  app.add_option("--data", flags.folder, "folder of NAME.csv or NAME.csv.gz files with a column 'target'")
      ->type_name("DIR")
      ->check(not_empty);
  app.add_option("--store", flags.store, "SQLite file of finished fits and results; rerun to resume")
      ->required()
      ->type_name("FILE")
      ->check(not_empty);
  app.add_option("--profile", flags.profile, "effort: quick or paper (default: quick)")->type_name("NAME");
  app.add_option("--tasks", flags.tasks, "tasks to run (default: all)")
      ->type_name("NAME,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--methods", flags.methods, "methods to run (default: all)")
      ->type_name("NAME,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_device_flag(app, flags.device);
  add_seed_flag(app, flags.seed, "folds and fits");
  app.footer(
      "The fits of 'times' run sequentially on one thread, whatever --threads says, so that they do not disturb each\n"
      "other's times; other programs would. 'boundary' generates its data and needs no --data.\n\n"
      "Example:\n  accrete experiment run table --data DIR --profile quick --store runs.sqlite");
}

void run_experiment(const ExperimentFlags& flags, const Common& given, comm::Communicator& comm) {
  const Common common = common_of(comm, given);
  const auto& experiment = experiment::experiment_named(flags.name);
  experiment::ExperimentOptions options;
  options.folder = flags.folder;
  options.profile = experiment::profile_named(flags.profile);
  options.seed = flags.seed;
  options.comm = &comm;
  experiment::choose(experiment, flags.tasks, flags.methods, options);
  if (experiment.needs_data && flags.folder.empty())
    throw core::UsageError("--data is required: the folder with the data of the tasks");
  if (flags.device == "cuda" && flags.name != "table")
    throw core::UsageError(fmt::format("--device cuda: '{}' runs on the CPU only", flags.name));
  check_device_of_ranks(flags.device, comm);
  if (comm.size() > 1 && !experiment.shares_fits)
    throw core::UsageError(fmt::format("'{}' runs in one process; start it without mpirun", flags.name));
  const auto device = flags.name == "table" ? open_device(flags.device, common) : nullptr;
  options.device = device.get();
  core::Workers workers(common.threads);
  std::unique_ptr<store::Store> store;
  comm::run_on_rank_0(comm, [&] { store = store::open(flags.store); });
  options.store = store.get();
  RunMonitor monitor(common);
  options.on_progress = [&](const experiment::RunProgress& at) { monitor.update(at); };
  options.on_result = [&](const experiment::StoredResult& kept) { monitor.kept(kept); };
  options.stop = interrupted;
  const auto start = std::chrono::steady_clock::now();
  const auto counts = experiment.run(options, workers);
  if (counts.stopped)
    throw Interrupted{fmt::format("stopped by {} after {} of {} fits; rerun the command to resume", interrupt_name(),
                                  counts.fits, counts.planned)};
  comm::run_on_rank_0(comm, [&] { print_summary(flags, common, {options, counts, seconds_since(start)}); });
}

}  // namespace accrete::cli
