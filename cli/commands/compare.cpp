// accrete compare: the boosted network, the plain methods and learners of other libraries on the same folds of one
// file.

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>

#include "accrete/core/counted.hpp"
#include "accrete/core/error.hpp"
#include "accrete/store/store.hpp"
#include "accrete/tune/compare.hpp"
#include "cli/commands.hpp"
#include "cli/commands/compare_page.hpp"
#include "cli/commands/compare_report.hpp"
#include "cli/support/device.hpp"
#include "cli/support/interrupt.hpp"
#include "cli/support/named_methods.hpp"
#include "cli/support/options.hpp"
#include "cli/support/output_files.hpp"
#include "cli/support/print.hpp"
#include "cli/support/progress.hpp"
#include "cli/support/read_files.hpp"
#include "cli/support/training_data.hpp"

namespace accrete::cli {
namespace {

using Flags = CompareFlags;

/// Removes and returns the methods that cannot learn the target. Throws UsageError if none is left.
std::vector<NamedMethod> remove_unsupported(std::vector<NamedMethod>& methods) {
  std::vector<NamedMethod> supported, removed;
  for (NamedMethod& named : methods) (named.unsupported.empty() ? supported : removed).push_back(std::move(named));
  if (supported.empty() && !removed.empty())
    throw core::UsageError(fmt::format("--methods {}: {}", removed.front().name(), removed.front().unsupported));
  methods = std::move(supported);
  return removed;
}

void write_page(const tune::CompareResult& result, const Comparison& comparison, const Flags& flags,
                const Common& common) {
  ComparePageTask task{flags.output,
                       "Methods compared on " + std::filesystem::path(flags.read.file).filename().string(),
                       facts_of(result, comparison, flags),
                       notes_of(comparison),
                       {},
                       table_of(result, comparison)};
  for (const NamedMethod& named : comparison.methods) task.names.push_back(named.name());
  write_compare_page(result, task, common);
}

void compare(const Flags& flags, const Common& common) {
  refuse_svmlight(flags.read, "compare");
  if (!flags.store.empty() && flags.store == flags.read.file)
    throw core::UsageError(fmt::format("--store {}: is an input; name another file", flags.store));
  if (flags.output == "-") throw core::UsageError("-o -: must be a file name");
  if (!flags.output.empty()) require_pages(), check_output(flags.output, {flags.read.file, flags.store});
  check_method_names(flags.methods, "--methods");
  check_metric(flags.metric, flags.target.chosen_task());
  check_store(flags.store);
  core::Workers workers(common.threads);
  const auto device = open_device(flags.device, common);
  const TrainingData data = read_training_data(flags.read, flags.target, common, workers);
  const auto problem = tune::read_problem(data.table, data.targets, flags.target.chosen_task());
  NamedMethods chosen =
      make_named_methods(flags.methods, "--methods", {problem.target, data.weight_column, device.get(), &workers});
  Comparison comparison{problem, std::move(chosen.list), {}, std::move(chosen.missing)};
  comparison.unsupported_methods = remove_unsupported(comparison.methods);
  std::vector<const tune::Method*> methods;
  for (const NamedMethod& named : comparison.methods) methods.push_back(named.method.get());
  const auto store = flags.store.empty() ? nullptr : store::open(flags.store);

  const auto start = std::chrono::steady_clock::now();
  ProgressBar bar(common);
  FitCount count;
  tune::CompareOptions options{flags.folds.folds, flags.folds.repeats, flags.metric, flags.seed, store.get()};
  options.done = [&](std::size_t done, std::size_t total) { bar.update(done, total, count.show(done, total)); };
  options.stop = interrupted;
  const auto result = tune::compare(problem, methods, options, workers);
  bar.clear();
  if (result.stopped)
    throw Interrupted{
        fmt::format("stopped by {} after {} of {} fits; {}", interrupt_name(), result.fits, result.planned,
                    flags.store.empty() ? "nothing is saved; use --store FILE to make a comparison resumable"
                                        : fmt::format("rerun with --store {} to resume", flags.store))};
  if (const auto scarce = tune::note_scarce_class(problem, flags.folds.folds)) note(common, *scarce);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  note(common, fmt::format("{} in {}{}", core::counted(result.planned - result.found, "fit"), show_seconds(seconds),
                           result.found > 0 ? fmt::format(", {} more found in {}", result.found, flags.store) : ""));
  if (!flags.output.empty()) write_page(result, comparison, flags, common);
  if (common.json) return print_json(compare_json(result, comparison, flags));
  Facts notes = notes_of(comparison);
  if (!flags.output.empty()) notes.emplace_back("page", flags.output);
  print(list_facts(facts_of(result, comparison, flags)) + "\n" + draw_table(table_of(result, comparison)) + "\n" +
        list_facts(notes));
}

}  // namespace

Run add_compare(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<Flags>();
  add_csv_flags(app, flags->read);
  add_target_flags(app, flags->target);
  add_weight_flag(app, flags->read);
  app.add_option("-o,--output", flags->output, "also write a self-contained HTML report")
      ->type_name("FILE")
      ->check(not_empty);
  app.add_option("--methods", flags->methods,
                 fmt::format("methods to compare, from {} (default: all that are installed)", list_named_methods()))
      ->type_name("NAME,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_fold_flags(app, flags->folds);
  add_metric_flag(app, flags->metric, "rank");
  add_seed_flag(app, flags->seed, "folds and fits");
  add_store_flag(app, flags->store);
  add_device_flag(app, flags->device);
  return [flags, &common] { compare(*flags, common); };
}

}  // namespace accrete::cli
