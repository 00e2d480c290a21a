#include "accrete/experiment/times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <nlohmann/json.hpp>

#include "accrete/config/parameters.hpp"
#include "accrete/config/preset.hpp"
#include "accrete/experiment/fixed.hpp"
#include "accrete/experiment/outcome.hpp"
#include "accrete/tune/contender.hpp"

namespace accrete::experiment {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t timed_folds = 10;
constexpr std::size_t quick_folds = 3;  ///< of the ten folds, so that fits have as many rows
constexpr std::size_t table_units = 200;
constexpr std::array<std::size_t, 10> figure_units{20, 40, 60, 80, 100, 120, 140, 160, 180, 200};

bool in_figure(const PaperTask& task, const PaperMethod& method) {
  return std::ranges::find(time_figure_tasks, task.name) != time_figure_tasks.end() &&
         std::ranges::find(time_figure_methods, method.name) != time_figure_methods.end();
}

/// The settings to time a method with, apart from its size.
struct TimedSettings {
  tune::Settings settings;
  bool from_table;
};

TimedSettings choose(const std::vector<Cell>& cells, std::string_view profile, const PaperTask& task,
                     const PaperMethod& method) {
  if (method.name != "gbnn" && method.name != "sgd") return {{}, false};
  for (const Cell& cell : cells)
    if (cell.profile == profile && cell.task == task.name && cell.method == method.name) {
      tune::Settings settings = cell.modal_settings();
      std::erase_if(settings, [](const tune::Setting& setting) { return setting.first == "hidden"; });
      return {std::move(settings), true};
    }
  if (method.name == "sgd") return {{{"schedule", "constant"}}, false};
  tune::Settings settings;
  for (const auto& [name, value] : config::settings_of(config::configure("paper", task.kind)))
    if (name == "learning_rate" || name == "subsample" || name == "units_per_step") settings.emplace_back(name, value);
  return {std::move(settings), false};
}

/// Fits of a network with `units` units; the deep network has that many in each layer.
FixedFits sized(const LoadedTask& data, const PaperMethod& method, tune::Settings settings, std::size_t units) {
  FixedFits fits{data, method, {}, {tune::whole_model}, static_cast<double>(units)};
  if (method.name == "gbnn")
    fits.units = {units};
  else
    settings.emplace_back("hidden", method.name == "deep" ? fmt::format("{0},{0},{0}", units) : std::to_string(units));
  fits.points = {std::move(settings)};
  return fits;
}

FixedFits for_table(const LoadedTask& data, const PaperMethod& method, const TimedSettings& choice) {
  return sized(data, method, choice.settings, method.name == "deep" ? 100 : table_units);
}

/// One entry per size. A tolerance of 0 trains a plain network for all its epochs.
std::vector<FixedFits> for_figure(const LoadedTask& data, const PaperMethod& method, const TimedSettings& choice,
                                  bool all_epochs) {
  std::vector<FixedFits> fits;
  fits.reserve(figure_units.size());
  tune::Settings settings = choice.settings;
  if (all_epochs) settings.emplace_back("tolerance", "0");
  for (const std::size_t units : figure_units) fits.push_back(sized(data, method, settings, units));
  return fits;
}

Json to_json(const tune::Settings& settings) {
  Json json = Json::object();
  for (const auto& [name, value] : settings) json[name] = value;
  return json;
}

class TimesRunner {
 public:
  TimesRunner(const ExperimentOptions& options, core::Workers& workers)
      : options_(options), ledger_(options), cells_(read_cells(options.store->results())) {
    for (const PaperTask* task : options.tasks) {
      const LoadedTask& data = loaded_.emplace_back(*task, load(*task, options.folder, workers));
      for (const PaperMethod* method : options.methods) plan(data, *method);
    }
  }

  RunCounts run() {
    for (const LoadedTask& data : loaded_)
      for (const PaperMethod* method : options_.methods) {
        if (in_figure(data.task, *method) && !run_figure(data, *method)) return ledger_.counts(true);
        if (!run_table_cell(data, *method)) return ledger_.counts(true);
      }
    return ledger_.counts(false);
  }

 private:
  TimedSettings choice_of(const LoadedTask& data, const PaperMethod& method) const {
    return choose(cells_, options_.profile.name, data.task, method);
  }

  /// The text marks these splits as timed, so that fits that ran concurrently elsewhere are not reused.
  TaskSplits parts_of(const LoadedTask& data) const {
    TaskSplits parts = split_task(data, timed_folds, options_.seed);
    parts.text = "times " + parts.text;
    return parts;
  }
  TaskSplits figure_parts_of(const LoadedTask& data) const {
    TaskSplits parts = parts_of(data);
    if (!options_.profile.full_grids) parts.splits.resize(quick_folds);
    return parts;
  }

  void plan(const LoadedTask& data, const PaperMethod& method) {
    const TimedSettings choice = choice_of(data, method);
    ledger_.plan(batch_of(for_table(data, method, choice), parts_of(data)));
    if (!in_figure(data.task, method)) return;
    const TaskSplits parts = figure_parts_of(data);
    for (const bool all_epochs : {false, true})
      if (!all_epochs || method.name != "gbnn")
        for (const FixedFits& fits : for_figure(data, method, choice, all_epochs)) ledger_.plan(batch_of(fits, parts));
  }

  /// Seconds over the parts; unset if stopped.
  std::optional<tune::Summary> time(const FixedFits& fits, const TaskSplits& parts) {
    std::vector<double> seconds;
    for (const auto& record : run_fixed(fits, parts, options_, ledger_, one_)) seconds.push_back(record.seconds);
    if (seconds.empty()) return std::nullopt;
    return tune::summarise(seconds);
  }

  store::ResultKey key(const char* experiment, const LoadedTask& data, const PaperMethod& method) const {
    return {experiment, std::string(options_.profile.name), std::string(data.task.name), std::string(method.name)};
  }

  bool run_table_cell(const LoadedTask& data, const PaperMethod& method) {
    const TimedSettings choice = choice_of(data, method);
    const FixedFits fits = for_table(data, method, choice);
    const TaskSplits parts = parts_of(data);
    const auto seconds = time(fits, parts);
    if (!seconds) return false;
    Json settings = to_json(fits.points.front());
    if (method.name == "gbnn") settings["units"] = std::to_string(table_units);
    const Json document{{"folds", parts.splits.size()},
                        {"settings", std::move(settings)},
                        {"settings_from", choice.from_table ? "table" : "defaults"},
                        {"mean", seconds->mean},
                        {"sd", seconds->sd}};
    keep(options_, {key("times-table", data, method), document.dump()},
         {data.task.name, method.name, "seconds", *seconds});
    return true;
  }

  bool run_figure(const LoadedTask& data, const PaperMethod& method) {
    const TimedSettings choice = choice_of(data, method);
    const TaskSplits parts = figure_parts_of(data);
    Json document{{"folds", parts.splits.size()}, {"settings", to_json(choice.settings)}};
    tune::Summary last;
    for (const bool all_epochs : {false, true}) {
      if (all_epochs && method.name == "gbnn") {  // its steps have no epochs
        document["full"] = document["early"];
        break;
      }
      Json& curve = document[all_epochs ? "full" : "early"] = {{"units", figure_units}};
      for (const FixedFits& fits : for_figure(data, method, choice, all_epochs)) {
        const auto seconds = time(fits, parts);
        if (!seconds) return false;
        last = *seconds;
        curve["mean"].push_back(last.mean);
        curve["se"].push_back(last.se);
      }
    }
    keep(options_, {key("times", data, method), document.dump()}, {data.task.name, method.name, "seconds", last});
    return true;
  }

  const ExperimentOptions& options_;
  core::Workers one_{1};
  RunCounter ledger_;
  std::vector<Cell> cells_;
  std::list<LoadedTask> loaded_;
};

}  // namespace

RunCounts run_times(const ExperimentOptions& options, core::Workers& workers) {
  return TimesRunner(options, workers).run();
}

}  // namespace accrete::experiment
