// accrete deep boost: boosts a head on a frozen backbone and joins the two.

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "accrete/core/counted.hpp"
#include "accrete/core/error.hpp"
#include "accrete/deep/joined.hpp"
#include "accrete/io/model_file.hpp"
#include "accrete/io/text_file.hpp"
#include "accrete/metric/list.hpp"
#include "accrete/store/store.hpp"
#include "accrete/tune/boosted.hpp"
#include "accrete/tune/search.hpp"
#include "cli/commands/search_report.hpp"
#include "cli/deep/boost_report.hpp"
#include "cli/deep/head.hpp"
#include "cli/support/device.hpp"
#include "cli/support/fitting.hpp"
#include "cli/support/interrupt.hpp"
#include "cli/support/options.hpp"
#include "cli/support/output_files.hpp"

namespace accrete::cli {
namespace {

namespace fs = std::filesystem;

struct DeepBoostFlags {
  FrozenFlags frozen;
  GivenParameters parameters;
  std::string preset = "default";
  std::string output = "joined.pt", head;
  std::string grid, metric, store, head_device = "cpu";
  std::size_t folds = 5;
  std::size_t checkpoint_every = 0;
  bool resume = false;

  std::string checkpoint() const { return output + ".checkpoint"; }
  bool has_checkpoint() const { return checkpoint_every > 0 || resume; }
};

void check(const DeepBoostFlags& flags, const CLI::App& app) {
  const std::vector<std::string> inputs{flags.frozen.network, flags.frozen.dataset.path, flags.grid};
  check_output(flags.output, inputs);
  if (!flags.head.empty()) check_output(flags.head, inputs);
  if (!flags.head.empty() &&
      fs::absolute(flags.head).lexically_normal() == fs::absolute(flags.output).lexically_normal())
    throw core::UsageError(fmt::format("--head {}: is also -o; name another file", flags.head));
  if (flags.checkpoint_every > 0) check_output(flags.checkpoint(), inputs);
  const auto patience = given_text(flags.parameters, "patience");
  if (patience && *patience != "0" && !given_text(flags.parameters, "validation_fraction"))
    throw core::UsageError(fmt::format("--patience {}: needs --validation-fraction", *patience));
  if (flags.grid.empty()) {
    for (const char* flag : {"--folds", "--metric", "--store"})
      if (app.count(flag) > 0) throw core::UsageError(fmt::format("{} needs --grid", flag));
  } else if (flags.has_checkpoint()) {
    throw core::UsageError(
        "--checkpoint-every and --resume cannot be used with --grid; --store makes the search resumable");
  }
}

/// The units and the seed, for a search.
config::ResolvedConfig units_and_seed(const boosting::FitOptions& options) {
  config::ResolvedConfig config;
  config.units = options.config.units.value_or(config.units);
  config.seed = options.config.seed.value_or(config.seed);
  return config;
}

/// The candidates. Parameters given as flags must not be among them.
tune::Grid read_grid(const DeepBoostFlags& flags, const tune::Method& method) {
  tune::Grid grid = tune::parse_grid(io::read_text_file(flags.grid), flags.grid, method);
  for (const auto& [name, value] : given_settings(flags.parameters))
    if (grid.find(name) || (name == "units" && !grid.units.empty()))
      throw core::UsageError(
          fmt::format("{} {}: '{}' is also in {}; give it once", flag_of(name), value, name, flags.grid));
  return grid;
}

/// The options of the best candidate by cross-validation on the features. `output` gets the result as text and JSON.
HeadOptions choose(const DeepBoostFlags& flags, const FrozenBackbone& frozen, core::Workers& workers,
                   const Common& common, std::pair<std::string, Json>& output) {
  boosting::FitOptions given = given_head_options(flags.parameters, flags.preset, frozen.signature.task);
  const config::ResolvedConfig config = units_and_seed(given);
  given.config.units.reset();
  const tune::Grid grid = read_grid(flags, tune::Boosted(given, frozen.signature.task));
  HeadOptions head = head_options(std::move(given), frozen.table, grid);
  const tune::Boosted method(head.fit, frozen.signature.task);
  const auto problem = tune::read_problem(frozen.table, {}, frozen.signature.task);
  tune::SearchOptions options{.grid = grid, .folds = flags.folds, .metric = flags.metric, .seed = config.seed};
  if (options.grid.units.empty()) options.grid.units.push_back(config.units);
  const auto store = flags.store.empty() ? nullptr : store::open(flags.store);
  options.records = store.get();
  ProgressBar bar(common);
  FitCount count;
  options.done = [&](std::size_t done, std::size_t total) { bar.update(done, total, count.show(done, total)); };
  options.stop = interrupted;
  const auto result = tune::search(problem, method, options, workers);
  bar.clear();
  if (result.stopped)
    throw Interrupted{fmt::format("stopped by {} after {} of {} fits; {}", interrupt_name(), result.fits,
                                  result.planned,
                                  flags.store.empty() ? "nothing is saved; use --store FILE to make it resumable"
                                                      : "rerun the command to resume")};
  const SearchReport report{problem, options, result, flags.preset, /*target_given=*/true, "", nullptr};
  output = {search_text(report), search_json(report)};
  head.fit = method.options(result.best().settings, result.best().units);
  return head;
}

std::vector<std::pair<std::string, double>> measure(const model::Model& head, const data::Table& table,
                                                    core::Workers& workers) {
  const std::size_t target[] = {table.columns.size() - 1};
  const auto targets = data::read_target_as(table, target, head.task, head.classes);
  return metric::all_for(head.task, {model::predict(head, table, head.network.steps(), workers), targets, {}});
}

deep::TorchNetwork joined_network(const BoostReport& report, const Json& search) {
  deep::TorchNetwork joined = deep::join(report.frozen.module, report.fit.model, report.frozen.signature);
  nlohmann::json head = std::move(joined.record["head"]);
  head["preset"] = report.preset;
  head["cut"] = report.flags.cut;
  head["seconds"] = report.seconds;
  head["feature_seconds"] = report.frozen.seconds;
  if (!search.is_null()) head["search"] = search;
  // The target may have been renamed to differ from the features.
  joined.signature->targets = report.frozen.signature.targets;
  joined.record = report.frozen.network.record;
  joined.record["head"] = std::move(head);
  return joined;
}

[[noreturn]] void interrupt(const DeepBoostFlags& flags, const boosting::FitResult& result) {
  finish_output();
  throw Interrupted{fmt::format("stopped by {} after {}; saved{}", interrupt_name(),
                                core::counted(result.model.network.units(), "unit"),
                                flags.checkpoint_every > 0 ? "; rerun with --resume to continue" : "")};
}

void boost(const DeepBoostFlags& flags, const Common& common) {
  core::Workers workers(common.threads);
  const auto device = open_device(flags.head_device, common);
  const auto checkpoint = flags.resume ? read_checkpoint(flags.checkpoint(), common) : std::nullopt;
  const FrozenBackbone frozen = compute_features(flags.frozen, common, workers);
  if (!frozen.has_target)
    throw core::DataError(
        fmt::format("{}: target column '{}' is missing", flags.frozen.dataset.path, frozen.signature.targets.front()));
  std::pair<std::string, Json> search;
  HeadOptions options =
      flags.grid.empty()
          ? head_options(given_head_options(flags.parameters, flags.preset, frozen.signature.task), frozen.table)
          : choose(flags, frozen, workers, common, search);
  if (checkpoint) resume_head(options, *checkpoint);
  options.fit.workers = &workers;
  options.fit.device = device.get();
  FitMonitor monitor(common, flags.checkpoint(), flags.checkpoint_every);
  if (checkpoint) monitor.note_at_first_step("resuming from " + core::counted(checkpoint->network.units(), "unit"));
  monitor.start_fit();
  options.fit.choosing = monitor.choosing();
  const boosting::FitResult result = fit_head(frozen.table, options, monitor.observer());
  monitor.clear();

  const BoostReport report{flags.frozen,
                           frozen,
                           result,
                           flags.preset,
                           flags.output,
                           flags.head,
                           monitor.seconds(),
                           measure(result.model, frozen.table, workers)};
  deep::save_network(joined_network(report, search.second), flags.output);
  if (!flags.head.empty()) io::save_model(result.model, flags.head);
  for (const auto& text : result.notes) note(common, text);
  if (common.json) {
    Json json = boost_json(report);
    if (!search.second.is_null()) json["search"] = search.second;
    print_json(json);
  } else if (!common.quiet) {
    print((search.first.empty() ? "" : search.first + "\n") + boost_text(report));
  }
  if (result.stop == boosting::Stop::observer) interrupt(flags, result);
  if (flags.has_checkpoint()) fs::remove(flags.checkpoint());
}

void add_search_flags(CLI::App& app, DeepBoostFlags& flags) {
  app.add_option("--grid", flags.grid,
                 "JSON file of candidates to cross-validate: {\"learning_rate\": [0.1, 1], \"subsample\": [0.25, 1]}")
      ->type_name("FILE")
      ->check(not_empty);
  app.add_option("--folds", flags.folds, "folds for --grid (default: 5)")
      ->type_name("N")
      ->check(whole_number(2, 1'000'000));
  add_metric_flag(app, flags.metric, "choose");
  add_store_flag(app, flags.store);
}

}  // namespace

Run add_deep_boost(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<DeepBoostFlags>();
  add_frozen_flags(app, flags->frozen, "train on");
  app.add_option("-o,--output", flags->output, "TorchScript file for the joined network (default: joined.pt)")
      ->type_name("FILE")
      ->check(not_empty);
  app.add_option("--head", flags->head, "also write the head alone as a model file")
      ->type_name("FILE")
      ->check(not_empty);
  app.add_option("--head-device", flags->head_device,
                 "device of the head's fit: cpu, cuda (NVIDIA GPU) or auto (default: cpu)")
      ->type_name("NAME");
  add_search_flags(app, *flags);
  app.add_option("--checkpoint-every", flags->checkpoint_every,
                 "write OUTPUT.checkpoint every N units; removed at the end")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000'000));
  app.add_flag("--resume", flags->resume, "resume from OUTPUT.checkpoint, if it exists");
  add_preset_flag(app, flags->preset);
  add_parameter_flags(app, flags->parameters);
  replace_defaults(app,
                   "Parameters (default: from the preset, but --units 500 and --auto off; classes on 64 features or "
                   "more: see docs/deep.md)");
  return [flags, &app, &common] {
    check(*flags, app);
    boost(*flags, common);
  };
}

}  // namespace accrete::cli
