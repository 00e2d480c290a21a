// accrete experiment list, run, report: the paper's experiments.

#include <memory>

#include "accrete/experiment/list.hpp"
#include "cli/commands.hpp"
#include "cli/experiment/report.hpp"
#include "cli/experiment/run.hpp"
#include "cli/support/print.hpp"
#include "cli/support/ranks.hpp"

namespace accrete::cli {
namespace {

void list_experiments(const Common& common) {
  Json json{{"experiments", Json::array()}, {"tasks", Json::array()}, {"methods", Json::array()}};
  std::vector<std::vector<std::string>> experiments{{"experiment", "description"}};
  std::vector<std::vector<std::string>> tasks{{"task", "kind", "rows", "title", "remark"}};
  std::vector<std::vector<std::string>> methods{{"method", "title", "description"}};
  std::vector<std::vector<std::string>> profiles{{"profile", "description"}};
  for (const auto& experiment : experiment::experiments()) {
    experiments.push_back({std::string(experiment.name), std::string(experiment.summary)});
    json["experiments"].push_back({{"name", experiment.name}, {"summary", experiment.summary}});
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

}  // namespace

Run add_experiment(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<ExperimentFlags>();
  app.require_subcommand(1);
  CLI::App* list = app.add_subcommand("list", "List experiments, profiles, methods and tasks");
  list->footer("Example:\n  accrete experiment list");
  CLI::App* run = app.add_subcommand("run", "Run or resume an experiment");
  add_experiment_run(*run, *flags);
  CLI::App* report = app.add_subcommand("report", "Write tables, figures and a page from a store");
  const Run write_report = add_experiment_report(*report, common);
  return [=, &common] {
    if (!run->parsed()) refuse_ranks(report->parsed() ? "experiment report" : "experiment list");
    if (report->parsed()) return write_report();
    if (list->parsed()) return list_experiments(common);
    run_on_ranks([&](comm::Communicator& comm) { run_experiment(*flags, common, comm); });
  };
}

}  // namespace accrete::cli
