// accrete cv: cross-validation of one configuration or method.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "accrete/backend/rows.hpp"
#include "accrete/boosting/check_options.hpp"
#include "accrete/comm/agree.hpp"
#include "accrete/core/error.hpp"
#include "accrete/tune/cross_validate_method.hpp"
#include "cli/commands.hpp"
#include "cli/support/device.hpp"
#include "cli/support/interrupt.hpp"
#include "cli/support/named_methods.hpp"
#include "cli/support/options.hpp"
#include "cli/support/print.hpp"
#include "cli/support/progress.hpp"
#include "cli/support/ranks.hpp"
#include "cli/support/training_data.hpp"

namespace accrete::cli {
namespace {

constexpr const char* boosted = "accrete";  // the method that has presets and parameters

struct CvFlags {
  ReadFlags read;
  TargetFlags target;
  GivenParameters parameters;
  std::string method = boosted;
  std::string preset = "default";
  std::string backend = "cpu", device = "cpu";
  FoldFlags folds;
  bool curve = false;
  bool per_fold = false;
};

Json fold_json(const tune::FoldScore& fold) {
  Json metrics = Json::object();
  for (const auto& [name, value] : fold.metrics) metrics[name] = value;
  return {{"repeat", fold.repeat},       {"fold", fold.fold},       {"train_rows", fold.train_rows},
          {"test_rows", fold.test_rows}, {"metrics", metrics},      {"train_loss", fold.train_loss},
          {"units", fold.units},         {"seconds", fold.seconds}, {"out_of_time", fold.out_of_time}};
}

Json report_json(const tune::CrossValidationResult& result, const CvFlags& flags, double seconds) {
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
            {"method", flags.method},
            {"repeats", flags.folds.repeats},
            {"fits", result.folds.size()},
            {"planned_fits", flags.folds.folds * flags.folds.repeats},
            {"stopped", result.stopped},
            {"folds", folds}};
  if (flags.curve) {
    json["curve"] = Json::array();
    for (const auto& [units, value] : result.curve())
      json["curve"].push_back({{"units", units}, {result.metric, value}});
  }
  json["seconds"] = seconds;
  json["notes"] = notes_json(result.notes);
  if (flags.method != boosted) return json;
  json["preset"] = flags.preset;
  json["parameters"] = parameters_json(config::settings_of(result.config));
  return json;
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

std::size_t planned_fits(const CvFlags& flags) {
  return flags.folds.folds * flags.folds.repeats;
}

/// "3 of " before the folds of a cross-validation that was stopped.
std::string show_finished(const tune::CrossValidationResult& result, const CvFlags& flags) {
  if (!result.stopped) return "";
  return fmt::format("{} of {} finished, stopped by {}; ", result.folds.size(), planned_fits(flags), interrupt_name());
}

std::string show_train_loss(const tune::CrossValidationResult& result) {
  const tune::Summary loss = result.train_loss();
  std::string text = fmt::format("{} {}", result.config.loss, show_with_error("", loss));
  if (result.config.loss == loss::Squared::name)
    text += fmt::format(" (RMSE {})", show_number(std::sqrt(2.0 * loss.mean)));
  return text;
}

std::string report_text(const tune::CrossValidationResult& result, const CvFlags& flags, double seconds) {
  std::vector<std::pair<std::string, std::string>> facts;
  if (flags.target.targets.empty()) facts.emplace_back("target", "the last column; choose another with --target");
  facts.emplace_back("task", show_task(result.task, result.task_reason));
  const std::string method = flags.method == boosted ? "preset " + flags.preset : "method " + flags.method;
  facts.emplace_back("folds", fmt::format("{}{}, {}", show_finished(result, flags), show_folds(flags.folds), method));
  if (const auto late = std::ranges::count_if(result.folds, &tune::FoldScore::out_of_time); late > 0)
    facts.emplace_back("time limit", fmt::format("ended {} of {} fits", late, result.folds.size()));
  for (const auto& metric : result.folds.front().metrics)
    facts.emplace_back(metric.first, show_with_error(metric.first, result.of_metric(metric.first)));
  if (flags.method == boosted) facts.emplace_back("train loss", show_train_loss(result));
  facts.emplace_back("to read", "mean ± standard error of the mean over the folds");
  facts.emplace_back("time", show_seconds(seconds));
  return (flags.per_fold ? fold_table(result) : "") + (flags.curve ? curve_table(result) : "") + list_facts(facts);
}

boosting::FitOptions fit_options(const CvFlags& flags, const TrainingData& data) {
  boosting::FitOptions options;
  options.targets = data.targets;
  options.task = flags.target.chosen_task();
  options.preset = flags.preset;
  options.config = given_config(flags.parameters);
  options.weight_column = data.weight_column;
  options.offset_column = data.offset_column;
  options.ignore = data.ignore;
  options.backend = flags.backend;
  return options;
}

/// Rejects flags of the boosted network for other methods, which have their own settings.
void check(const CLI::App& app, const CvFlags& flags) {
  const auto metric = given_text(flags.parameters, "metric");
  if (metric && *metric != "loss" && !given_text(flags.parameters, "validation_fraction"))
    throw core::UsageError(fmt::format(
        "--metric {}: sets the metric of early stopping, which needs --validation-fraction; cv always reports "
        "all metrics",
        *metric));
  if (flags.method == boosted) return;
  check_method_names({flags.method}, "--method");
  for (const auto& setting : given_settings(flags.parameters))
    if (setting.first != "seed")
      throw core::UsageError(fmt::format("{}: only for --method {}", flag_of(setting.first), boosted));
  for (const char* flag : {"--preset", "--units-curve", "--device", "--offset-column"})
    if (app.count(flag) > 0) throw core::UsageError(fmt::format("{}: only for --method {}", flag, boosted));
}

/// Cross-validates any method but the boosted network, on the folds that compare draws.
tune::CrossValidationResult run_method(const CvFlags& flags, const TrainingData& data, const tune::CrossValidation& how,
                                       core::Workers& workers) {
  const auto problem = tune::read_problem(data.table, data.targets, flags.target.chosen_task());
  const auto made = make_named_methods({flags.method}, "--method", {problem.target, data.weight_column});
  const NamedMethod& named = made.list.front();
  if (!named.unsupported.empty())
    throw core::UsageError(fmt::format("--method {}: {}", flags.method, named.unsupported));
  return tune::cross_validate(problem, *named.method, given_config(flags.parameters).seed.value_or(0), how, workers);
}

void report(const tune::CrossValidationResult& result, const CvFlags& flags, double seconds, const Common& common) {
  common.json ? print_json(report_json(result, flags, seconds)) : print(report_text(result, flags, seconds));
  if (result.stopped) finish_output();
}

void cross_validate(const CvFlags& flags, const Common& given, comm::Communicator& comm) {
  const auto start = std::chrono::steady_clock::now();
  const Common common = common_of(comm, given);
  check_device_of_ranks(flags.device, comm);
  backend::backend_named(flags.backend);
  boosting::check_options(fit_options(flags, {}));
  core::Workers workers(common.threads);
  const auto device = open_device(flags.device, common);
  const TrainingData data = read_all_rows(flags.read, flags.target, common, workers,
                                          {.given = given_config(flags.parameters), .validation = "", .comm = comm});
  const boosting::FitOptions options = fit_options(flags, data);
  ProgressBar bar(common);
  const tune::CrossValidation how{.folds = flags.folds.folds,
                                  .repeats = flags.folds.repeats,
                                  .curve = flags.curve,
                                  .done =
                                      [&](std::size_t done, std::size_t total) {
                                        if (done > 0) keep_results();
                                        bar.update(done, total, fmt::format("{}/{} fits", done, total));
                                      },
                                  .stop = interrupted,
                                  .device = device.get(),
                                  .comm = &comm};
  const auto result = flags.method == boosted ? tune::cross_validate(data.table, options, how, workers)
                                              : run_method(flags, data, how, workers);
  bar.clear();
  const Interrupted stopped{
      fmt::format("stopped by {} after {} of {} fits", interrupt_name(), result.folds.size(), planned_fits(flags))};
  if (result.folds.empty()) throw stopped;
  for (const auto& text : result.notes) note(common, text);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  comm::run_on_rank_0(comm, [&] { report(result, flags, seconds, common); });
  if (result.stopped) throw stopped;
}

}  // namespace

Run add_cv(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<CvFlags>();
  add_read_flags(app, flags->read);
  add_target_flags(app, flags->target);
  add_weight_flag(app, flags->read);
  add_offset_flag(app, flags->read);
  add_fold_flags(app, flags->folds);
  app.add_flag("--units-curve", flags->curve, "also print the mean score after each step");
  app.add_flag("--per-fold", flags->per_fold, "also print each fold");
  app.add_option("--method", flags->method,
                 fmt::format("method to cross-validate, from {} (default: accrete)", list_named_methods()))
      ->type_name("NAME")
      ->check(not_empty);
  add_preset_flag(app, flags->preset);
  add_device_flag(app, flags->device);
  app.add_option("--backend", flags->backend, "")->group("");
  add_parameter_flags(app, flags->parameters);
  return [flags, &app, &common] {
    check(app, *flags);
    flags->read.group_column = group_column_of(flags->parameters);
    run_on_ranks([&](comm::Communicator& comm) { cross_validate(*flags, common, comm); });
  };
}

}  // namespace accrete::cli
