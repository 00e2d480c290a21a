#include "cli/support/plain_training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "accrete/baseline/fit.hpp"
#include "accrete/core/counted.hpp"
#include "accrete/core/error.hpp"
#include "accrete/io/model_file.hpp"
#include "cli/support/interrupt.hpp"
#include "cli/support/progress.hpp"
#include "cli/support/training_data.hpp"

namespace accrete::cli {
namespace {

constexpr model::Method plain_methods[] = {model::Method::network, model::Method::adaboost};

struct Report {
  const baseline::FitResult& result;
  const FitFlags& fit;
  bool last_column;  ///< the target was not given
  double seconds;
};

/// "57 epochs", "12 iterations", "67 networks"
std::string show_length(const baseline::FitResult& result) {
  const std::size_t count = result.model.provenance.train_loss.size();
  const char* what = result.model.method == model::Method::adaboost ? "network"
                     : result.config.solver == "lbfgs"              ? "iteration"
                                                                    : "epoch";
  return core::counted(count, what);
}

Json report_json(const Report& report) {
  const model::Model& model = report.result.model;
  const auto& curve = model.provenance.train_loss;
  const bool boosted = model.method == model::Method::adaboost;
  return {{"model", report.fit.output},
          {"method", model::method_name(model.method)},
          {"task", data::task_name(model.task)},
          {"task_reason", render(report.result.task_reason)},
          {"targets", model.targets},
          {"classes", model.classes},
          {"rows", model.provenance.training_rows},
          {"features", model.encoder.features()},
          {"units", model.units_after(0)},
          {"networks", model.members.size()},
          {"loss", model.loss.name()},
          {boosted ? "weighted_error" : "train_loss", curve.empty() ? Json() : Json(curve.back())},
          {"iterations", curve.size()},
          {"stop", report.result.ending},
          {"seconds", report.seconds},
          {"parameters", parameters_json(model.provenance.parameters)},
          {"notes", notes_json(report.result.notes)}};
}

std::string report_text(const Report& report) {
  const model::Model& model = report.result.model;
  const auto& curve = model.provenance.train_loss;
  std::vector<std::pair<std::string, std::string>> facts;
  facts.emplace_back(
      "data", fmt::format("{}: {}, {}", report.fit.read.file,
                          core::counted(model.provenance.training_rows, "training row"), show_inputs(model.encoder)));
  facts.emplace_back("target", show_list(model.targets) +
                                   (report.last_column ? " (the last column; choose another with --target)" : ""));
  facts.emplace_back("task", show_task(model.task, report.result.task_reason));
  if (!model.classes.empty()) facts.emplace_back("classes", show_list(model.classes));
  facts.emplace_back("method", model::method_name(model.method));
  facts.emplace_back("network", show_networks(model));
  facts.emplace_back("training", fmt::format("{} by {}: {}", show_length(report.result), report.result.config.solver,
                                             report.result.ending));
  if (!curve.empty() && model.method == model::Method::network)
    facts.emplace_back("loss", fmt::format("{} {} including the penalty, on the training rows", model.loss.name(),
                                           show_number(curve.back())));
  facts.emplace_back("time", show_seconds(report.seconds));
  facts.emplace_back("saved", report.fit.output);
  return list_facts(facts);
}

}  // namespace

baseline::Config PlainFlags::config(const FitFlags& fit) const {
  auto settings = given_settings(fit.parameters);
  for (const auto& setting : given)
    if (!setting.second.empty()) settings.push_back(setting);
  return baseline::parse_settings(chosen_method(), settings);
}

void PlainFlags::check(const CLI::App& app, const FitFlags& fit) const {
  if (chosen_method() == model::Method::boosting) {
    for (const auto& [name, value] : given)
      if (!value.empty()) throw core::UsageError(fmt::format("--{}: only for --method network or adaboost", name));
    return;
  }
  for (const char* flag :
       {"--preset", "--validation", "--offset-column", "--checkpoint-every", "--resume", "--backend", "--device"})
    if (app.count(flag) > 0) throw core::UsageError(fmt::format("{}: not available with --method {}", flag, method));
  config(fit);
}

void add_plain_flags(CLI::App& app, PlainFlags& flags) {
  app.add_option("--method", flags.method,
                 fmt::format("training method: {} (default: boosting)", model::list_methods()))
      ->type_name("NAME")
      ->check(not_empty);
  std::vector<const baseline::Parameter*> own;
  for (const model::Method method : plain_methods)
    for (const auto& p : baseline::parameters(method))
      if (!app.get_option_no_throw(flag_of(p.name)) &&
          std::ranges::find(own, std::string_view(p.name), &baseline::Parameter::name) == own.end())
        own.push_back(&p);
  for (const auto* p : own) flags.given.emplace_back(p->name, "");
  for (std::size_t i = 0; i < own.size(); ++i)
    app.add_option(flag_of(own[i]->name), flags.given[i].second,
                   fmt::format("{} ({})", own[i]->summary, own[i]->range()))
        ->type_name(own[i]->allowed.choices ? "NAME" : "N")
        ->check(not_empty)
        ->group("Parameters only of --method network and adaboost");
}

void train_plain(const PlainFlags& flags, const FitFlags& fit, const TargetFlags& target, const Common& common) {
  core::Workers workers(common.threads);
  baseline::FitOptions options;
  options.method = flags.chosen_method();
  options.task = target.chosen_task();
  options.config = flags.config(fit);
  options.workers = &workers;
  const TrainingData data = read_training_data(fit.read, target, common, workers);
  options.targets = data.targets;
  options.weight_column = data.weight_column;

  ProgressBar bar(common);
  const auto start = std::chrono::steady_clock::now();
  const baseline::FitResult result = baseline::fit(data.table, options, [&](const baseline::Progress& p) {
    keep_results();
    bar.update(p.done, p.max, fmt::format("loss {}", show_number(p.loss)));
    return !interrupted();
  });
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  bar.clear();
  io::save_model(result.model, fit.output);
  for (const auto& text : result.notes) note(common, text);
  const Report report{result, fit, target.targets.empty(), seconds};
  if (common.json)
    print_json(report_json(report));
  else if (!common.quiet)
    print(report_text(report));
  if (!result.stopped) return;
  finish_output();
  throw Interrupted{fmt::format("stopped by {} after {}; saved", interrupt_name(), show_length(result))};
}

}  // namespace accrete::cli
