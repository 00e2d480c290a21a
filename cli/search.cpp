// accrete search: every setting of a grid is cross-validated, the best one fitted to all rows.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "accrete/backend/rows.hpp"
#include "accrete/boosting/preset.hpp"
#include "accrete/core/counted.hpp"
#include "accrete/core/error.hpp"
#include "accrete/io/model_file.hpp"
#include "accrete/io/text_file.hpp"
#include "accrete/store/store.hpp"
#include "accrete/tune/boosted.hpp"
#include "accrete/tune/search.hpp"
#include "cli/commands.hpp"
#include "cli/device.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/search_report.hpp"

namespace accrete::cli {
namespace {

struct Flags {
  ReadFlags read;
  TargetFlags target;
  GivenParameters parameters;
  std::string preset = "default", backend = "cpu";
  std::string grid, store, output, metric, device = "cpu";
  FoldFlags cut;
  std::size_t nested = 0;
};

void check(const Flags& flags) {
  backend::backend_named(flags.backend);
  if (flags.output == "-") throw core::UsageError("-o -: a model cannot be written to standard output");
  const std::vector<std::string> inputs{flags.read.file, flags.grid, flags.store};
  if (!flags.output.empty() && flags.output == flags.store)
    throw core::UsageError(fmt::format("-o {}: that file is the store", flags.output));
  if (!flags.output.empty()) check_output(flags.output, inputs);
  if (!flags.store.empty() && (flags.store == flags.read.file || flags.store == flags.grid))
    throw core::UsageError(fmt::format("--store {}: that file is an input", flags.store));
}

boosting::FitOptions fit_options(const Flags& flags) {
  boosting::FitOptions options;
  options.targets = flags.target.targets;
  options.preset = flags.preset;
  options.overrides = overrides_of(flags.parameters);
  options.weight_column = flags.read.weight_column;
  options.backend = flags.backend;
  return options;
}

/// The units and the seed that flags or the preset give; the rest only has to fit together with each setting.
boosting::Config units_and_seed(const Flags& flags, data::Task task) {
  boosting::Config config;
  config.units = boosting::configure(flags.preset, task, {}).units;
  for (const char* name : {"units", "seed"})
    if (const auto given = override_named(flags.parameters, name))
      boosting::set(config, boosting::parameter_named(name), *given);
  return config;
}

/// The paper's grid without what is given by flags, or the one of the file, which must not have it as well.
tune::Grid grid_of(const Flags& flags, const tune::Method& method, const boosting::Config& config, data::Task task) {
  const auto given = overrides_of(flags.parameters);
  tune::Grid grid = flags.grid.empty() ? tune::paper_grid(task)
                                       : tune::parse_grid(io::read_text_file(flags.grid), flags.grid, method);
  for (const auto& [name, value] : given) {
    const bool there = grid.find(name) || (name == "units" && !grid.units.empty());
    if (there && !flags.grid.empty())
      throw core::UsageError(fmt::format("{} {}: '{}' is in {} as well; give it once",
                                         boosting::parameter_named(name).flag(), value, name, flags.grid));
    grid.remove(name);
  }
  if (grid.units.empty()) grid.units.push_back(config.units);
  return grid;
}

[[noreturn]] void interrupt(const tune::SearchResult& result, const Flags& flags, const std::string& where) {
  const std::string go_on = flags.store.empty()
                                ? std::string("nothing is kept; with --store FILE a search can go on")
                                : fmt::format("the same command with --store {} goes on from there", flags.store);
  throw Interrupted{
      fmt::format("stopped by Ctrl-C after {} of {} fits{}; {}", result.fits, result.planned, where, go_on)};
}

/// The chosen network from all rows, the one that accrete train would make. Nothing when Ctrl-C ended it.
std::optional<model::Model> refit(const data::Table& table, boosting::FitOptions options, core::Workers& workers,
                                  ProgressBar& bar) {
  options.workers = &workers;
  auto fitted = boosting::fit(table, options, [&](const boosting::Progress& p) {
    bar.update(p.step, p.steps, "all rows: " + core::counted(p.units, "unit"));
    return !interrupted();
  });
  bar.clear();
  if (fitted.stop == boosting::Stop::observer) return std::nullopt;
  return std::move(fitted.model);
}

void search(const Flags& flags, const Common& common) {
  check(flags);
  core::Workers workers(common.threads);
  const data::Table table = read_training_table(flags.read, flags.target, workers);
  note_numeric_header(table, flags.read, common);
  const auto problem = tune::read_problem(table, flags.target.targets, flags.target.chosen_task());
  const data::Task task = problem.target.task;
  const auto machine = open_machine(flags.device, common);
  const tune::Boosted method(fit_options(flags), task, machine.get());
  const auto config = units_and_seed(flags, task);
  tune::SearchOptions options{grid_of(flags, method, config, task),
                              flags.cut.folds,
                              flags.cut.repeats,
                              flags.nested,
                              flags.metric,
                              config.seed};
  const auto store = flags.store.empty() ? nullptr : store::open(flags.store);
  options.records = store.get();

  catch_interrupts();
  const auto start = std::chrono::steady_clock::now();
  ProgressBar bar(common);
  FitCount count;
  options.done = [&](std::size_t done, std::size_t total) { bar.update(done, total, count.show(done, total)); };
  options.stop = interrupted;
  const auto result = tune::search(problem, method, options, workers);
  bar.clear();
  if (result.stopped) interrupt(result, flags, "");
  if (const auto scarce = tune::note_scarce_class(problem, std::max(options.folds, options.outer)))
    note(common, *scarce);

  std::optional<model::Model> model;
  if (!flags.output.empty()) {
    boosting::FitOptions chosen = method.options(result.best().settings, result.best().units);
    chosen.machine = machine.get();
    model = refit(table, std::move(chosen), workers, bar);
    if (!model) interrupt(result, flags, ", before the one of all rows was done");
    io::save_model(*model, flags.output);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  note(common, fmt::format("{} in {}{}", core::counted(result.planned - result.found, "fit"), show_seconds(seconds),
                           result.found > 0 ? fmt::format(", {} more were in {}", result.found, flags.store) : ""));
  const SearchReport report{
      problem, options, result, flags.preset, !flags.target.targets.empty(), flags.output, model ? &*model : nullptr};
  common.json ? print_json(search_json(report)) : print(search_text(report));
}

}  // namespace

Run add_search(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<Flags>();
  add_read_flags(app, flags->read);
  add_target_flags(app, flags->target);
  add_weight_flag(app, flags->read);
  app.add_option("-o,--output", flags->output, "model file for the best setting, fitted to all rows (default: none)")
      ->type_name("FILE")
      ->check(not_empty);
  app.add_option("--grid", flags->grid,
                 "JSON file of what to try, {\"learning_rate\": [0.1, 0.5]} (default: the paper's)")
      ->type_name("FILE")
      ->check(not_empty);
  add_store_flag(app, flags->store);
  add_fold_flags(app, flags->cut);
  app.add_option("--nested", flags->nested, "outer folds to score the choice itself on, the search done inside each")
      ->type_name("N")
      ->check(whole_number(2, 1'000'000));
  add_metric_flag(app, flags->metric, "choose");
  app.add_option("--preset", flags->preset, "default or paper: where parameters that are not searched come from")
      ->type_name("NAME");
  add_device_flag(app, flags->device);
  app.add_option("--backend", flags->backend, "")->group("");
  add_parameter_flags(app, flags->parameters);
  return [flags, &common] { search(*flags, common); };
}

}  // namespace accrete::cli
