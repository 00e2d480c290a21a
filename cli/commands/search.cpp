// accrete search: cross-validates every candidate of a grid and fits the best one to all rows.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>
#include <optional>

#include "accrete/backend/rows.hpp"
#include "accrete/boosting/read.hpp"
#include "accrete/comm/agree.hpp"
#include "accrete/comm/values.hpp"
#include "accrete/config/preset.hpp"
#include "accrete/core/counted.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/data/encoder/encode_sparse.hpp"
#include "accrete/data/take_rows.hpp"
#include "accrete/io/model_file.hpp"
#include "accrete/io/text_file.hpp"
#include "accrete/store/store.hpp"
#include "accrete/tune/boosted.hpp"
#include "accrete/tune/search.hpp"
#include "cli/commands.hpp"
#include "cli/commands/search_report.hpp"
#include "cli/support/device.hpp"
#include "cli/support/interrupt.hpp"
#include "cli/support/options.hpp"
#include "cli/support/output_files.hpp"
#include "cli/support/progress.hpp"
#include "cli/support/ranks.hpp"
#include "cli/support/training_data.hpp"

namespace accrete::cli {
namespace {

struct SearchFlags {
  ReadFlags read;
  TargetFlags target;
  GivenParameters parameters;
  std::string preset = "default", backend = "cpu";
  std::string grid, store, output, metric, device = "cpu";
  FoldFlags folds;
  std::size_t nested = 0;
};

boosting::FitOptions fit_options(const SearchFlags& flags, const TrainingData& data) {
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

/// Units and seed from the flags or the preset; candidates determine all other parameters.
config::ResolvedConfig units_and_seed(const SearchFlags& flags, data::Task task) {
  const config::Config given = given_config(flags.parameters);
  config::ResolvedConfig config;
  config.units = given.units.value_or(config::configure(flags.preset, task).units);
  config.seed = given.seed.value_or(config.seed);
  return config;
}

/// The paper's grid without the parameters given as flags, or the grid of the file, which must not contain them.
tune::Grid grid_of(const SearchFlags& flags, const tune::Method& method, const config::ResolvedConfig& config,
                   data::Task task) {
  const auto given = given_settings(flags.parameters);
  tune::Grid grid = flags.grid.empty() ? tune::paper_grid(task)
                                       : tune::parse_grid(io::read_text_file(flags.grid), flags.grid, method);
  for (const auto& [name, value] : given) {
    const bool there = grid.find(name) || (name == "units" && !grid.units.empty());
    if (there && !flags.grid.empty())
      throw core::UsageError(
          fmt::format("{} {}: '{}' is also in {}; give it once", flag_of(name), value, name, flags.grid));
    grid.remove(name);
  }
  if (grid.units.empty()) grid.units.push_back(config.units);
  return grid;
}

void check(const SearchFlags& flags) {
  backend::backend_named(flags.backend);
  if (flags.output == "-") throw core::UsageError("-o -: a model cannot be written to standard output");
  const std::vector<std::string> inputs{flags.read.file, flags.grid, flags.store};
  if (!flags.output.empty() && flags.output == flags.store)
    throw core::UsageError(fmt::format("-o {}: is also --store; name another file", flags.output));
  if (!flags.output.empty()) check_output(flags.output, inputs);
  if (!flags.store.empty() && (flags.store == flags.read.file || flags.store == flags.grid))
    throw core::UsageError(fmt::format("--store {}: is an input; name another file", flags.store));
  check_metric(flags.metric, flags.target.chosen_task());
  check_store(flags.store);
  // Names and ranges do not depend on the task, which the target decides.
  const data::Task task = boosting::task_of(fit_options(flags, {})).value_or(data::Task::binary);
  grid_of(flags, tune::Boosted(fit_options(flags, {}), task), units_and_seed(flags, task), task);
}

[[noreturn]] void interrupt(const tune::SearchResult& result, const SearchFlags& flags, const std::string& where) {
  const std::string advice = flags.store.empty()
                                 ? std::string("nothing is saved; use --store FILE to make a search resumable")
                                 : fmt::format("rerun with --store {} to resume", flags.store);
  throw Interrupted{fmt::format("stopped by {} after {} of {} fits{}; {}", interrupt_name(), result.fits,
                                result.planned, where, advice)};
}

/// Adds to an error where the value comes from, if the user has not given it as a flag.
[[noreturn]] void refuse_candidate(const core::UsageError& error, const SearchFlags& flags, const tune::Grid& grid) {
  const auto* given = std::get_if<core::ParameterReference>(&error.message().parts().front());
  if (!given || !grid.find(given->name)) throw error;
  const core::Message origin =
      flags.grid.empty()
          ? core::message("; the value is from the built-in grid, which {} replaces", core::parameter(given->name))
          : core::message("; the value is from {}", flags.grid);
  throw core::UsageError(core::Message(error.message()) += origin);
}

/// This rank's rows if the fit on all rows can divide them among ranks; otherwise nullopt, and rank 0 fits alone.
std::optional<data::Table> rows_of_rank(const data::Table& table, const boosting::FitOptions& options,
                                        const comm::Communicator& comm) {
  if (comm.size() == 1 || data::has_sparse_columns(table) || options.backend != "cpu" ||
      options.config.interval.value_or(0.0) > 0.0 || table.rows() < comm.size())
    return std::nullopt;
  const std::size_t first = comm.rank() * table.rows() / comm.size();
  std::vector<std::size_t> rows((comm.rank() + 1) * table.rows() / comm.size() - first);
  std::iota(rows.begin(), rows.end(), first);
  return data::take_rows(table, rows);
}

/// Fits the chosen candidate on all rows, as accrete train does. Returns nullopt if interrupted by Ctrl-C, and on ranks
/// that do not take part.
std::optional<model::Model> refit(const data::Table& table, boosting::FitOptions options, ProgressBar& bar,
                                  comm::Communicator& comm) {
  const auto observe = [&](const boosting::Progress& p) {
    bar.update(p.time.seconds_left, "all rows: " + core::counted(p.units, "unit"));
    return !interrupted();
  };
  std::optional<boosting::FitResult> fitted;
  if (auto own = rows_of_rank(table, options, comm)) {
    options.comm = &comm;
    fitted = boosting::fit(std::move(*own), options, observe);
  } else {
    comm::run_on_rank_0(comm, [&] { fitted = boosting::fit(table, options, observe); });
  }
  bar.clear();
  const bool stopped = comm::is_any(comm, fitted && fitted->stop == boosting::Stop::observer);
  if (stopped || !fitted) return std::nullopt;
  return std::move(fitted->model);
}

void search(const SearchFlags& flags, const Common& given, comm::Communicator& comm) {
  const Common common = common_of(comm, given);
  check_device_of_ranks(flags.device, comm);
  comm::run_on_rank_0(comm, [&] { check(flags); });
  core::Workers workers(common.threads);
  const auto device = open_device(flags.device, common);
  const TrainingData data = read_all_rows(flags.read, flags.target, common, workers,
                                          {.given = given_config(flags.parameters), .validation = "", .comm = comm});
  const auto problem = tune::read_problem(data.table, data.targets, boosting::task_of(fit_options(flags, data)));
  const data::Task task = problem.target.task;
  const tune::Boosted method(fit_options(flags, data), task, device.get());
  const auto config = units_and_seed(flags, task);
  tune::SearchOptions options{grid_of(flags, method, config, task),
                              flags.folds.folds,
                              flags.folds.repeats,
                              flags.nested,
                              flags.metric,
                              config.seed};
  std::unique_ptr<store::Store> store;
  comm::run_on_rank_0(comm, [&] { store = flags.store.empty() ? nullptr : store::open(flags.store); });
  options.records = store.get();
  options.comm = &comm;

  const auto start = std::chrono::steady_clock::now();
  ProgressBar bar(common);
  FitCount count;
  options.done = [&](std::size_t done, std::size_t total) { bar.update(done, total, count.show(done, total)); };
  options.stop = interrupted;
  const auto result = [&] {
    try {
      return tune::search(problem, method, options, workers);
    } catch (const core::UsageError& error) {
      refuse_candidate(error, flags, options.grid);
    }
  }();
  bar.clear();
  if (result.stopped) interrupt(result, flags, "");
  if (const auto scarce = tune::note_scarce_class(problem, std::max(options.folds, options.outer)))
    note(common, *scarce);

  std::optional<model::Model> model;
  if (!flags.output.empty()) {
    boosting::FitOptions chosen = method.options(result.best().settings, result.best().units);
    chosen.device = device.get();
    chosen.workers = &workers;
    model = refit(data.table, std::move(chosen), bar, comm);
    if (comm::broadcast_value(comm, !model)) interrupt(result, flags, ", before the fit to all rows ended");
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  comm::run_on_rank_0(comm, [&] {
    if (model) io::save_model(*model, flags.output);
    note(common, fmt::format("{} in {}{}", core::counted(result.planned - result.found, "fit"), show_seconds(seconds),
                             result.found > 0 ? fmt::format(", {} more found in {}", result.found, flags.store) : ""));
    const SearchReport report{
        problem, options, result, flags.preset, !flags.target.targets.empty(), flags.output, model ? &*model : nullptr};
    common.json ? print_json(search_json(report)) : print(search_text(report));
  });
}

}  // namespace

Run add_search(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<SearchFlags>();
  add_read_flags(app, flags->read);
  add_target_flags(app, flags->target);
  add_weight_flag(app, flags->read);
  add_offset_flag(app, flags->read);
  app.add_option("-o,--output", flags->output, "model file of the best candidate, fitted to all rows (default: none)")
      ->type_name("FILE")
      ->check(not_empty);
  app.add_option("--grid", flags->grid, "JSON file: {\"learning_rate\": [0.1, 0.5]} (default: the paper's grid)")
      ->type_name("FILE")
      ->check(not_empty);
  add_store_flag(app, flags->store);
  add_fold_flags(app, flags->folds);
  app.add_option("--nested", flags->nested, "outer folds of a nested cross-validation (default: none)")
      ->type_name("N")
      ->check(whole_number(2, 1'000'000));
  add_metric_flag(app, flags->metric, "choose");
  add_preset_flag(app, flags->preset);
  add_device_flag(app, flags->device);
  app.add_option("--backend", flags->backend, "")->group("");
  add_parameter_flags(app, flags->parameters);
  return [flags, &common] {
    flags->read.group_column = group_column_of(flags->parameters);
    run_on_ranks([&](comm::Communicator& comm) { search(*flags, common, comm); });
  };
}

}  // namespace accrete::cli
