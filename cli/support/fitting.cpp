#include "cli/support/fitting.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "accrete/comm/agree.hpp"
#include "accrete/core/counted.hpp"
#include "accrete/core/error.hpp"
#include "accrete/io/model_file.hpp"
#include "cli/support/continuation.hpp"
#include "cli/support/interrupt.hpp"

namespace accrete::cli {
namespace {

const char* stop_name(boosting::Stop stop) {
  switch (stop) {
    case boosting::Stop::finished:
      return "finished";
    case boosting::Stop::observer:
      return "interrupted";
    case boosting::Stop::patience:
      return "patience";
    case boosting::Stop::time:
      return "time";
  }
  return "";
}

double at_end(const std::vector<double>& curve, const model::Model& model) {
  return curve.at(model.network.steps());
}

Json report_json(const FitReport& report) {
  const model::Model& model = report.result.model;
  Json json{{"model", report.flags.output},
            {"task", data::task_name(model.task)},
            {"task_reason", render(report.result.task_reason)},
            {"targets", model.targets},
            {"classes", model.classes},
            {"rows", model.provenance.training_rows},
            {"features", model.encoder.features()},
            {"units", model.network.units()},
            {"steps", model.network.steps()},
            {"loss", model.loss.name()},
            {"train_loss", at_end(model.provenance.train_loss, model)}};
  if (const auto rmse = rmse_of(model, at_end(model.provenance.train_loss, model))) json["train_rmse"] = *rmse;
  if (const auto held_out = held_out_loss(model)) {
    json["validation_loss"] = held_out->loss;
    if (const auto rmse = rmse_of(model, held_out->loss)) json["validation_rmse"] = *rmse;
  }
  if (report.result.validation_metric) json["validation_metric"] = *report.result.validation_metric;
  if (!model.provenance.choice.trials.empty()) json["choice"] = choice_json(model.provenance.choice);
  json["stop"] = stop_name(report.result.stop);
  json["seconds"] = report.seconds;
  if (report.comm.size() > 1)
    json["ranks"] = {{"ranks", report.comm.size()},
                     {"messages", report.comm.traffic().messages},
                     {"bytes", report.comm.traffic().bytes}};
  if (!report.preset.empty()) json["preset"] = report.preset;
  json["parameters"] = parameters_json(config::settings_of(report.result.config));
  json["notes"] = notes_json(report.result.notes);
  return json;
}

std::string report_text(const FitReport& report) {
  const boosting::FitResult& result = report.result;
  const model::Model& model = result.model;
  const auto& curves = model.provenance;
  std::vector<std::pair<std::string, std::string>> facts;
  facts.emplace_back(
      "data", fmt::format("{}: {}, {}", report.flags.read.file, core::counted(curves.training_rows, "training row"),
                          show_inputs(model.encoder)));
  facts.emplace_back("target", show_list(model.targets) + report.target_note);
  facts.emplace_back("task", show_task(model.task, result.task_reason));
  if (!model.classes.empty()) facts.emplace_back("classes", show_list(model.classes));
  if (!report.preset.empty()) facts.emplace_back("preset", report.preset);
  facts.emplace_back("units", show_units(result));
  if (!curves.choice.trials.empty()) {
    const bool by_metric = result.config.metric != "loss";
    facts.emplace_back("chosen", show_choice(curves.choice) + (by_metric ? ", by " + result.config.metric : ""));
  }
  facts.emplace_back("loss",
                     fmt::format("{} on the training rows, from {}", show_loss(model, at_end(curves.train_loss, model)),
                                 show_number(curves.train_loss.front())));
  if (const auto held_out = held_out_loss(model)) {
    std::string text = show_held_out(model, *held_out);
    if (result.validation_metric)
      text +=
          fmt::format(", {} {}", result.config.metric, show_metric(result.config.metric, *result.validation_metric));
    facts.emplace_back("held out", text);
  }
  if (model.calibration.coverage > 0.0) facts.emplace_back("interval", show_calibration(model.calibration));
  facts.emplace_back("time", show_seconds(report.seconds));
  if (report.comm.size() > 1) facts.emplace_back("ranks", fmt::format("{}", report.comm.size()));
  facts.emplace_back("saved", report.flags.output);
  return list_facts(facts);
}

void write_results(const FitReport& report, const Common& common) {
  keep_results();
  io::save_model(report.result.model, report.flags.output);
  for (const auto& text : report.result.notes) note(common, text);
  if (common.json)
    print_json(report_json(report));
  else if (!common.quiet)
    print(report_text(report));
}

/// How the fit ended and how to continue it.
Interrupted interruption(const FitReport& report) {
  finish_output();
  const std::string saved = fmt::format("stopped by {} after {}; saved", interrupt_name(),
                                        core::counted(report.result.model.network.units(), "unit"));
  const std::string next = continuation(report);
  return {next.empty() ? saved : saved + "; " + next};
}

}  // namespace

std::string show_units(const boosting::FitResult& result) {
  const network::Network& network = result.model.network;
  std::string text = fmt::format("{} in {}", network.units(), core::counted(network.steps(), "step"));
  if (result.stop == boosting::Stop::patience) return text + ", stopped by patience";
  if (result.stop == boosting::Stop::time) return text + ", stopped by the time limit";
  return result.units_reason.empty() ? text : text + ": " + render(result.units_reason);
}

void add_fit_flags(CLI::App& app, FitFlags& flags) {
  add_read_flags(app, flags.read);
  add_weight_flag(app, flags.read);
  add_offset_flag(app, flags.read);
  app.add_option("--validation", flags.validation, "CSV file of validation rows for early stopping")
      ->type_name("FILE")
      ->check(not_empty);
  app.add_option("--backend", flags.backend, "")->group("");
  add_parameter_flags(app, flags.parameters);
}

void check_fit_flags(const FitFlags& flags) {
  const bool fraction = given_text(flags.parameters, "validation_fraction").has_value();
  if (fraction && !flags.validation.empty())
    throw core::UsageError("--validation and --validation-fraction: give only one of them");
  const auto patience = given_text(flags.parameters, "patience");
  if (patience && *patience != "0" && !fraction && flags.validation.empty())
    throw core::UsageError(fmt::format("--patience {}: needs --validation or --validation-fraction", *patience));
  const auto metric = given_text(flags.parameters, "metric");
  if (metric && *metric != "loss" && !fraction && flags.validation.empty())
    throw core::UsageError(fmt::format("--metric {}: needs --validation or --validation-fraction", *metric));
  if (flags.read.file == "-" && flags.validation == "-")
    throw core::UsageError("--validation -: standard input holds the training rows; name a file");
  if (flags.output == "-") throw core::UsageError("-o -: a model cannot be written to standard output");
}

std::optional<model::Model> read_checkpoint(const std::string& path, const Common& common) {
  if (std::filesystem::exists(path)) return io::load_model(path);
  note(common, fmt::format("no checkpoint '{}': starting from scratch", path));
  return std::nullopt;
}

FitMonitor::FitMonitor(const Common& common, std::string checkpoint, std::size_t every)
    : common_(common),
      bar_(common),
      checkpoint_(std::move(checkpoint)),
      every_(every),
      start_(std::chrono::steady_clock::now()) {}

void FitMonitor::reading(const std::string& file) {
  constexpr std::uintmax_t large = 32'000'000;  // bytes; smaller files load before the bar would appear
  std::error_code error;
  if (const auto size = std::filesystem::file_size(file, error); !error && size >= large)
    bar_.announce("reading " + file);
}

void FitMonitor::start_fit() {
  stop_if_interrupted();  // Ctrl-C while the file was read
  start_ = std::chrono::steady_clock::now();
}

boosting::Observer FitMonitor::observer() {
  return [this](const boosting::Progress& progress) { return on_step(progress); };
}

boosting::ChoosingObserver FitMonitor::choosing() {
  return [this](const boosting::TimeEstimate& time) {
    bar_.update(time.seconds_left, "trying settings on held-out rows");
    is_choice_complete_ = !interrupted();
    return is_choice_complete_;
  };
}

double FitMonitor::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

bool FitMonitor::on_step(const boosting::Progress& p) {
  keep_results();
  if (!first_note_.empty()) note(common_, std::exchange(first_note_, {}));
  std::string text = fmt::format("{}, loss {}", core::counted(p.units, "unit"), show_number(p.train_loss));
  if (p.validation_loss) text += fmt::format(", validation {}", show_number(*p.validation_loss));
  bar_.update(p.time.seconds_left, text);
  const bool stop = interrupted();
  // Also write one when stopped: with a validation set the saved model ends at its best step, so only a checkpoint can
  // resume. Settings that were chosen only in part are not those of the whole fit, so no checkpoint may have them.
  if (every_ > 0 && is_choice_complete_ && (stop || p.units / every_ > saved_units_.value_or(0) / every_)) {
    io::save_model(p.snapshot(), checkpoint_);
    saved_units_ = p.units;
  }
  return !stop;
}

void save_and_report(const FitReport& report, const Common& common, const std::function<void()>& finish) {
  std::optional<Interrupted> interrupted;
  comm::run_on_rank_0(report.comm, [&] {
    write_results(report, common);
    if (report.result.stop == boosting::Stop::observer)
      interrupted = interruption(report);
    else if (finish)
      finish();
  });
  if (report.result.stop == boosting::Stop::observer) throw interrupted.value_or(Interrupted{});
}

}  // namespace accrete::cli
