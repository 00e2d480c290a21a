// accrete cv: cross-validation of one configuration.

#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "accrete/backend/rows.hpp"
#include "accrete/core/error.hpp"
#include "accrete/tune/cross_validation.hpp"
#include "cli/commands.hpp"
#include "cli/support/device.hpp"
#include "cli/support/interrupt.hpp"
#include "cli/support/options.hpp"
#include "cli/support/print.hpp"
#include "cli/support/progress.hpp"
#include "cli/support/training_data.hpp"

namespace accrete::cli {
namespace {

struct Flags {
  ReadFlags read;
  TargetFlags target;
  GivenParameters parameters;
  std::string preset = "default";
  std::string backend = "cpu", device = "cpu";
  FoldFlags folds;
  bool curve = false;
  bool per_fold = false;
};

Json summary_json(const tune::Summary& s) {
  return {{"mean", s.mean}, {"sd", s.sd}, {"se", s.se}};
}

Json fold_json(const tune::FoldScore& fold) {
  Json metrics = Json::object();
  for (const auto& [name, value] : fold.metrics) metrics[name] = value;
  return {{"repeat", fold.repeat},       {"fold", fold.fold},      {"train_rows", fold.train_rows},
          {"test_rows", fold.test_rows}, {"metrics", metrics},     {"train_loss", fold.train_loss},
          {"units", fold.units},         {"seconds", fold.seconds}};
}

Json report_json(const tune::CrossValidationResult& result, const Flags& flags, double seconds) {
  Json metrics = Json::object(), folds = Json::array();
  for (const auto& metric : result.folds.front().metrics)
    metrics[metric.first] = summary_json(result.of_metric(metric.first));
  for (const auto& fold : result.folds) folds.push_back(fold_json(fold));
  Json json{{"metric", result.metric},
            {"score", summary_json(result.score())},
            {"metrics", metrics},
            {"train_loss", result.train_loss().mean},
            {"train_loss_sd", result.train_loss().sd},
            {"task", data::task_name(result.task)},
            {"task_reason", render(result.task_reason)},
            {"preset", flags.preset},
            {"repeats", flags.folds.repeats},
            {"folds", folds}};
  if (flags.curve) {
    json["curve"] = Json::array();
    for (const auto& [units, value] : result.curve())
      json["curve"].push_back({{"units", units}, {result.metric, value}});
  }
  json["seconds"] = seconds;
  json["notes"] = notes_json(result.notes);
  json["parameters"] = parameters_json(config::settings_of(result.config));
  return json;
}

std::string show_with_deviation(const std::string& name, const tune::Summary& s) {
  const bool share = name == "accuracy";
  return share ? fmt::format("{:.2f} ± {:.2f} %", 100.0 * s.mean, 100.0 * s.sd)
               : fmt::format("{} ± {}", show_number(s.mean), show_number(s.sd));
}

std::string fold_table(const tune::CrossValidationResult& result) {
  std::vector<std::vector<std::string>> rows{{"repeat", "fold", "rows", "units"}};
  for (const auto& metric : result.folds.front().metrics) rows[0].push_back(metric.first);
  rows[0].insert(rows[0].end(), {"train loss", "time"});
  for (const auto& fold : result.folds) {
    std::vector<std::string> row{std::to_string(fold.repeat), std::to_string(fold.fold), std::to_string(fold.test_rows),
                                 std::to_string(fold.units)};
    for (const auto& [name, value] : fold.metrics) row.push_back(show_metric(name, value));
    row.push_back(show_number(fold.train_loss));
    row.push_back(show_seconds(fold.seconds));
    rows.push_back(std::move(row));
  }
  return draw_table(rows) + "\n";
}

std::string curve_table(const tune::CrossValidationResult& result) {
  std::vector<std::vector<std::string>> rows{{"units", result.metric}};
  for (const auto& [units, value] : result.curve())
    rows.push_back({std::to_string(units), show_metric(result.metric, value)});
  return draw_table(rows) + "\n";
}

std::string report_text(const tune::CrossValidationResult& result, const Flags& flags, double seconds) {
  std::vector<std::pair<std::string, std::string>> facts;
  if (flags.target.targets.empty()) facts.emplace_back("target", "the last column; choose another with --target");
  facts.emplace_back("task", show_task(result.task, result.task_reason));
  facts.emplace_back("folds", fmt::format("{}, preset {}", show_folds(flags.folds), flags.preset));
  for (const auto& metric : result.folds.front().metrics)
    facts.emplace_back(metric.first, show_with_deviation(metric.first, result.of_metric(metric.first)));
  facts.emplace_back("train loss", show_with_deviation("train loss", result.train_loss()));
  facts.emplace_back("time", show_seconds(seconds));
  return (flags.per_fold ? fold_table(result) : "") + (flags.curve ? curve_table(result) : "") + list_facts(facts);
}

void cross_validate(const Flags& flags, const Common& common) {
  const auto start = std::chrono::steady_clock::now();
  backend::backend_named(flags.backend);
  core::Workers workers(common.threads);
  boosting::FitOptions options;
  options.task = flags.target.chosen_task();
  const TrainingData data = read_training_data(flags.read, flags.target, common, workers);
  options.targets = data.targets;
  options.preset = flags.preset;
  options.config = given_config(flags.parameters);
  options.weight_column = data.weight_column;
  options.backend = flags.backend;

  const auto device = open_device(flags.device, common);
  catch_interrupts();
  ProgressBar bar(common);
  const tune::CrossValidation how{
      flags.folds.folds,
      flags.folds.repeats,
      flags.curve,
      [&](std::size_t done, std::size_t total) { bar.update(done, total, fmt::format("{}/{} fits", done, total)); },
      interrupted,
      device.get()};
  const auto result = tune::cross_validate(data.table, options, how, workers);
  bar.clear();
  if (result.stopped)
    throw Interrupted{fmt::format("stopped by Ctrl-C after {} of {} fits; nothing is reported", result.folds.size(),
                                  flags.folds.folds * flags.folds.repeats)};
  for (const auto& text : result.notes) note(common, text);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  common.json ? print_json(report_json(result, flags, seconds)) : print(report_text(result, flags, seconds));
}

}  // namespace

Run add_cv(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<Flags>();
  add_read_flags(app, flags->read);
  add_target_flags(app, flags->target);
  add_weight_flag(app, flags->read);
  add_fold_flags(app, flags->folds);
  app.add_flag("--units-curve", flags->curve, "also print the mean score after each step");
  app.add_flag("--per-fold", flags->per_fold, "also print each fold");
  app.add_option("--preset", flags->preset, "preset of the parameters: fast, default, best or paper")
      ->type_name("NAME");
  add_device_flag(app, flags->device);
  app.add_option("--backend", flags->backend, "")->group("");
  add_parameter_flags(app, flags->parameters);
  return [flags, &common] { cross_validate(*flags, common); };
}

}  // namespace accrete::cli
