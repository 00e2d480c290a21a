// accrete experiment list, run, report: the paper's experiments.

#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "accrete/core/error.hpp"
#include "accrete/experiment/table.hpp"
#include "accrete/store/store.hpp"
#include "cli/commands.hpp"
#include "cli/experiment_report.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/print.hpp"
#include "cli/progress.hpp"

namespace accrete::cli {
namespace {

struct RunFlags {
  std::string name, folder, store, profile = "quick";
  std::vector<std::string> tasks, methods;
  std::uint64_t seed = 0;
};

/// What can be run.
struct Kind {
  const char* name;
  const char* summary;
};

constexpr Kind kinds[] = {
    {"table", "accuracy or RMSE of six methods on 26 tasks, settings chosen inside each training part"},
};

void list_experiments(const Common& common) {
  Json json{{"experiments", Json::array()}, {"tasks", Json::array()}, {"methods", Json::array()}};
  std::vector<std::vector<std::string>> experiments{{"experiment", "what it is"}};
  std::vector<std::vector<std::string>> tasks{{"task", "kind", "rows", "title", "remark"}};
  std::vector<std::vector<std::string>> methods{{"method", "title", "what it is"}};
  std::vector<std::vector<std::string>> profiles{{"profile", "what it is"}};
  for (const Kind& kind : kinds) {
    experiments.push_back({kind.name, kind.summary});
    json["experiments"].push_back({{"name", kind.name}, {"summary", kind.summary}});
  }
  for (const auto& profile : experiment::profiles()) {
    profiles.push_back({std::string(profile.name), std::string(profile.summary)});
    json["profiles"].push_back({{"name", profile.name}, {"summary", profile.summary}});
  }
  for (const auto& method : experiment::methods()) {
    methods.push_back({std::string(method.name), std::string(method.title), std::string(method.summary)});
    json["methods"].push_back({{"name", method.name}, {"title", method.title}, {"summary", method.summary}});
  }
  for (const auto& task : experiment::tasks()) {
    const std::string kind{data::task_name(task.kind)};
    tasks.push_back(
        {std::string(task.name), kind, std::to_string(task.rows), std::string(task.title), std::string(task.remark)});
    json["tasks"].push_back(
        {{"name", task.name}, {"title", task.title}, {"kind", kind}, {"rows", task.rows}, {"remark", task.remark}});
  }
  if (common.json) return print_json(json);
  print(draw_table(experiments) + "\n" + draw_table(profiles) + "\n" + draw_table(methods) + "\n" + draw_table(tasks));
}

experiment::TableOptions table_options(const RunFlags& flags) {
  experiment::TableOptions options;
  options.folder = flags.folder;
  options.profile = experiment::profile_named(flags.profile);
  options.seed = flags.seed;
  for (const auto& name : flags.tasks) options.tasks.push_back(&experiment::task_named(name));
  for (const auto& name : flags.methods) options.methods.push_back(&experiment::method_named(name));
  if (flags.tasks.empty())
    for (const auto& task : experiment::tasks()) options.tasks.push_back(&task);
  if (flags.methods.empty())
    for (const auto& method : experiment::methods()) options.methods.push_back(&method);
  return options;
}

/// The bar: fits done, what is at work, and the time left by the weight of the work.
class Watch {
 public:
  explicit Watch(const Common& common) : common_(common), bar_(common) {}

  void update(const experiment::Standing& at) {
    bar_.update(static_cast<std::size_t>(at.work * 1e6), 1'000'000,
                fmt::format("{}/{} fits, {} {}", at.fits, at.planned, at.task->name, at.method->name));
  }

  void kept(const experiment::Cell& cell) {
    const auto now = std::chrono::steady_clock::now();
    bar_.clear();
    note(common_,
         fmt::format("{} {}: {}, after {}", cell.task, cell.method, show_with_error(cell.metric, cell.summary()),
                     show_seconds(std::chrono::duration<double>(now - start_).count())));
  }

 private:
  const Common& common_;
  ProgressBar bar_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void run_table(const RunFlags& flags, const Common& common) {
  auto options = table_options(flags);
  core::Workers workers(common.threads);
  const auto store = store::open(flags.store);
  options.store = store.get();
  catch_interrupts();
  Watch watch(common);
  options.news = [&](const experiment::Standing& at) { watch.update(at); };
  options.kept = [&](const experiment::Cell& cell) { watch.kept(cell); };
  options.stop = interrupted;
  const auto start = std::chrono::steady_clock::now();
  const auto result = experiment::run_table(options, workers);
  if (result.stopped)
    throw Interrupted{fmt::format("stopped by Ctrl-C after {} of {} fits; the same command goes on from there",
                                  result.fits, result.planned)};
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (common.json)
    return print_json({{"experiment", "table"},
                       {"profile", flags.profile},
                       {"tasks", options.tasks.size()},
                       {"methods", options.methods.size()},
                       {"fits", result.planned},
                       {"found", result.found},
                       {"seconds", seconds},
                       {"store", flags.store}});
  print(list_facts({{"experiment", fmt::format("table, profile {}", flags.profile)},
                    {"cells", fmt::format("{} tasks x {} methods", options.tasks.size(), options.methods.size())},
                    {"fits", fmt::format("{}, {} of them found in the store", result.planned, result.found)},
                    {"time", show_seconds(seconds)},
                    {"next", fmt::format("accrete experiment report --store {} -o report/", flags.store)}}));
}

void add_run(CLI::App& app, RunFlags& flags) {
  app.add_option("name", flags.name, "which; see accrete experiment list")->required()->type_name("NAME");
  app.add_option("--data", flags.folder, "folder of the tasks' data, NAME.csv or NAME.csv.gz with a column 'target'")
      ->type_name("DIR")
      ->check(not_empty);
  app.add_option("--store", flags.store, "SQLite file for finished fits and results; a run goes on from what is there")
      ->required()
      ->type_name("FILE")
      ->check(not_empty);
  app.add_option("--profile", flags.profile, "quick or paper (default: quick)")->type_name("NAME");
  app.add_option("--tasks", flags.tasks, "some of the tasks (default: all)")->type_name("NAME,...")->delimiter(',');
  app.add_option("--methods", flags.methods, "some of the methods (default: all)")
      ->type_name("NAME,...")
      ->delimiter(',');
  app.add_option("--seed", flags.seed, "folds and fits are drawn from it (default: 0)")->type_name("N");
  app.footer("Example:\n  accrete experiment run table --data DIR --profile quick --store runs.sqlite");
}

void run_experiment(const RunFlags& flags, const Common& common) {
  if (flags.name == "table") {
    if (flags.folder.empty()) throw core::UsageError("--data DIR is needed: the folder of the tasks' data");
    return run_table(flags, common);
  }
  std::string names;
  for (const Kind& kind : kinds) names += fmt::format("{}{}", names.empty() ? "" : ", ", kind.name);
  throw core::UsageError(fmt::format("unknown experiment '{}'; there are {}", flags.name, names));
}

}  // namespace

Run add_experiment(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<RunFlags>();
  app.require_subcommand(1);
  CLI::App* list = app.add_subcommand("list", "Experiments, profiles, methods and tasks");
  list->footer("Example:\n  accrete experiment list");
  CLI::App* run = app.add_subcommand("run", "Do one, or go on with it");
  add_run(*run, *flags);
  CLI::App* report = app.add_subcommand("report", "Tables, figures and a page of what a store holds");
  const Run write_report = add_experiment_report(*report, common);
  return [=, &common] {
    if (report->parsed()) return write_report();
    list->parsed() ? list_experiments(common) : run_experiment(*flags, common);
  };
}

}  // namespace accrete::cli
