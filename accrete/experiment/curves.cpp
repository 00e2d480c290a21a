#include "accrete/experiment/curves.hpp"

#include <algorithm>
#include <list>
#include <nlohmann/json.hpp>

#include "accrete/experiment/fixed.hpp"
#include "accrete/metric/list.hpp"
#include "accrete/tune/contender.hpp"

namespace accrete::experiment {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t folds = 10;
constexpr std::size_t max_units = 200;

/// The settings that the paper's nested search chose most often.
struct BoostedSettings {
  std::size_t units_per_step;
  const char *rate, *subsample;
};

BoostedSettings grown_on(std::string_view task) {
  if (task == "spambase") return {1, "0.5", "0.75"};
  if (task == "tic-tac-toe") return {3, "0.5", "1"};
  return {4, "0.5", "1"};
}

std::vector<std::size_t> widths(const Profile& profile) {
  std::vector<std::size_t> all;
  if (!profile.full_grids) all = {1, 2, 3, 5, 10};
  const std::size_t stride = profile.full_grids ? 1 : 20;
  for (std::size_t units = stride; units <= max_units; units += stride) all.push_back(units);
  return all;
}

/// A curve: its points, and the fits that they come from.
struct Curve {
  tune::Settings settings;  ///< the settings shown in a report
  std::vector<std::size_t> units;
  FixedFits fits;
};

Curve plan_curve(const LoadedTask& data, const PaperMethod& method, const Profile& profile) {
  Curve curve{{}, {}, {data, method, {}, {tune::whole_model}}};
  if (method.name == "gbnn") {
    const BoostedSettings grown = grown_on(data.task.name);
    curve.settings = {{"learning_rate", grown.rate},
                      {"subsample", grown.subsample},
                      {"units_per_step", std::to_string(grown.units_per_step)}};
    for (std::size_t units = grown.units_per_step; units <= max_units; units += grown.units_per_step)
      curve.units.push_back(units);
    curve.fits.points = {curve.settings};
    curve.fits.units = curve.units;
  } else if (method.name == "deep") {
    curve.settings = {{"hidden", "100,100,100"}};
    curve.units = {300};
    curve.fits.points = {curve.settings};
  } else {
    curve.settings = {{"solver", "adam"}};
    curve.units = widths(profile);
    for (const std::size_t units : curve.units) curve.fits.points.push_back({{"hidden", std::to_string(units)}});
  }
  return curve;
}

class CurvesRunner {
 public:
  CurvesRunner(const ExperimentOptions& options, core::Workers& workers)
      : options_(options), workers_(workers), ledger_(options) {
    for (const PaperTask* task : options.tasks) {
      const LoadedTask& data = loaded_.emplace_back(*task, load(*task, options.folder, workers));
      const TaskSplits parts = split_task(data, folds, options.seed);
      for (const PaperMethod* method : options.methods)
        ledger_.plan(batch_of(plan_curve(data, *method, options.profile).fits, parts));
    }
  }

  RunCounts run() {
    for (const LoadedTask& data : loaded_)
      for (const PaperMethod* method : options_.methods)
        if (!run_curve(plan_curve(data, *method, options_.profile))) return ledger_.counts(true);
    return ledger_.counts(false);
  }

 private:
  bool run_curve(const Curve& curve) {
    const TaskSplits parts = split_task(curve.fits.data, folds, options_.seed);
    const auto records = run_fixed(curve.fits, parts, options_, ledger_, workers_);
    if (records.empty()) return false;
    const PaperTask& task = curve.fits.data.task;
    const std::string metric = metric::primary(task.kind);
    Json settings = Json::object(), mean = Json::array(), se = Json::array();
    for (const auto& [name, value] : curve.settings) settings[name] = value;
    tune::Summary last;
    for (std::size_t first = 0; first < records.size(); first += folds)
      for (std::size_t u = 0; u < curve.fits.units.size(); ++u) {
        std::vector<double> scores;
        for (std::size_t fold = 0; fold < folds; ++fold)
          for (const auto& [name, value] : records[first + fold].prefixes[u].metrics)
            if (name == metric) scores.push_back(value);
        last = tune::summarise(scores);
        mean.push_back(last.mean);
        se.push_back(last.se);
      }
    const Json document{{"metric", metric},     {"folds", folds}, {"settings", settings},
                        {"units", curve.units}, {"mean", mean},   {"se", se}};
    const PaperMethod& method = curve.fits.method;
    keep(options_,
         {{"curves", std::string(options_.profile.name), std::string(task.name), std::string(method.name)},
          document.dump()},
         {task.name, method.name, metric, last});
    return true;
  }

  const ExperimentOptions& options_;
  core::Workers& workers_;
  RunCounter ledger_;
  std::list<LoadedTask> loaded_;
};

}  // namespace

RunCounts run_curves(const ExperimentOptions& options, core::Workers& workers) {
  return CurvesRunner(options, workers).run();
}

}  // namespace accrete::experiment
