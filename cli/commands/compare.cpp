// accrete compare: the boosted network and the plain methods on the same folds of one file.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>

#include "accrete/core/counted.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/suggest.hpp"
#include "accrete/store/store.hpp"
#include "accrete/tune/compare.hpp"
#include "accrete/tune/contender.hpp"
#include "cli/commands.hpp"
#include "cli/commands/compare_page.hpp"
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
  std::vector<std::string> methods;
  std::string store, metric, output, device = "cpu";
  FoldFlags folds;
  std::uint64_t seed = 0;
};

std::string list_contenders() {
  std::string names;
  for (const auto& setup : tune::contenders()) names += (names.empty() ? "" : ", ") + setup.name;
  return names;
}

/// In the order of tune::contenders(), without duplicates.
std::vector<tune::Contender> chosen_contenders(const Flags& flags, const std::string& weight_column, data::Task task,
                                               backend::FitDevice* device, core::Workers& workers) {
  for (const std::string& name : flags.methods)
    if (std::ranges::find(tune::contenders(), name, &tune::ContenderSetup::name) == tune::contenders().end())
      throw core::UsageError(fmt::format("--methods {}: must be from {}{}", name, list_contenders(),
                                         core::did_you_mean(name, list_contenders())));
  std::vector<tune::Contender> chosen;
  for (const auto& setup : tune::contenders())
    if (flags.methods.empty() || std::ranges::find(flags.methods, setup.name) != flags.methods.end())
      chosen.emplace_back(setup, weight_column, task, device, &workers);
  return chosen;
}

/// Removes and returns the methods that cannot learn the target. Throws UsageError if none is left.
std::vector<tune::Contender> remove_unable(std::vector<tune::Contender>& contenders, const data::Target& target) {
  const auto unable = std::ranges::stable_partition(
      contenders, [&](const tune::Contender& contender) { return contender.unsupported_reason(target).empty(); });
  std::vector<tune::Contender> taken(unable.begin(), unable.end());
  contenders.erase(unable.begin(), unable.end());
  if (contenders.empty())
    throw core::UsageError(
        fmt::format("--methods {}: {}", taken.front().name(), taken.front().unsupported_reason(target)));
  return taken;
}

std::string score_text(const std::string& metric, const tune::Summary& s) {
  return std::isfinite(s.mean) ? show_with_error(metric, s) : "diverged";
}

std::string difference_text(const std::string& metric, const tune::Summary& s) {
  if (!std::isfinite(s.mean)) return "-";
  const double scale = is_share(metric) ? 100.0 : 1.0;
  return fmt::format("{:+.3g} ± {:.2g}", scale * s.mean, scale * s.se);
}

/// A difference of more than two standard errors counts.
std::string verdict(const tune::Summary& s) {
  if (!std::isfinite(s.mean)) return "no score";
  return std::abs(s.mean) > 2.0 * s.se ? "worse" : "level";
}

/// The columns of metrics, the ranking metric first; more are in the JSON.
std::vector<std::string> metric_columns(const tune::CompareResult& result) {
  constexpr std::size_t shown = 3;
  std::vector<std::string> names{result.metric};
  for (const auto& [name, unused] : result.ranked.front().metrics)
    if (name != result.metric && names.size() < shown) names.push_back(name);
  return names;
}

struct Comparison {
  const tune::Problem& problem;
  std::vector<tune::Contender> contenders;
  std::vector<tune::Contender> unable = {};  ///< cannot learn the target
};

std::vector<std::vector<std::string>> table_of(const tune::CompareResult& result, const Comparison& comparison) {
  const auto metrics = metric_columns(result);
  std::vector<std::vector<std::string>> rows(1, {"method"});
  rows[0].insert(rows[0].end(), metrics.begin(), metrics.end());
  rows[0].insert(rows[0].end(), {"to the best", "", "units", "fit"});
  for (const auto& compared : result.ranked) {
    std::vector<std::string> row{comparison.contenders[compared.method].name()};
    for (const auto& name : metrics)
      row.push_back(
          score_text(name, std::ranges::find(compared.metrics, name, [](auto& m) { return m.first; })->second));
    const bool best = &compared == &result.ranked.front();
    row.push_back(best ? "" : difference_text(result.metric, compared.difference));
    row.push_back(best ? "best" : verdict(compared.difference));
    row.push_back(fmt::format("{:.0f}", compared.units));
    row.push_back(show_seconds(compared.seconds));
    rows.push_back(std::move(row));
  }
  for (const auto& contender : comparison.unable) {
    auto& row = rows.emplace_back(rows[0].size(), "-");
    row[0] = contender.name();
    row[metrics.size() + 2] = "left out";
  }
  return rows;
}

using Facts = std::vector<std::pair<std::string, std::string>>;

Facts facts_of(const tune::CompareResult& result, const Comparison& comparison, const Flags& flags) {
  const tune::Problem& problem = comparison.problem;
  Facts facts;
  if (flags.target.targets.empty()) facts.emplace_back("target", "the last column; choose another with --target");
  facts.emplace_back("task", show_task(problem.target.task, problem.target.reason));
  facts.emplace_back("folds",
                     fmt::format("{}, the same for all methods; {} fits", show_folds(flags.folds), result.planned));
  return facts;
}

Facts notes_of(const Comparison& comparison) {
  Facts notes;
  notes.emplace_back("to read",
                     "mean ± standard error over the folds; \"to the best\": mean of the differences per fold; "
                     "\"level\": within 2 standard errors");
  for (const auto& contender : comparison.contenders) notes.emplace_back(contender.name(), contender.setup().summary);
  for (const auto& contender : comparison.unable)
    notes.emplace_back(contender.name(), fmt::format("{}; left out: {}", contender.setup().summary,
                                                     contender.unsupported_reason(comparison.problem.target)));
  return notes;
}

void write_page(const tune::CompareResult& result, const Comparison& comparison, const Flags& flags,
                const Common& common) {
  ComparePageTask task{flags.output,
                       "Methods compared on " + std::filesystem::path(flags.read.file).filename().string(),
                       facts_of(result, comparison, flags),
                       notes_of(comparison),
                       {},
                       table_of(result, comparison)};
  for (const auto& contender : comparison.contenders) task.names.push_back(contender.name());
  write_compare_page(result, task, common);
}

Json summary_json(const tune::Summary& s) {
  return {{"mean", s.mean}, {"sd", s.sd}, {"se", s.se}};
}

Json report_json(const tune::CompareResult& result, const Comparison& comparison, const Flags& flags) {
  const data::Target& target = comparison.problem.target;
  Json json{{"metric", result.metric},    {"task", data::task_name(target.task)},
            {"folds", flags.folds.folds}, {"repeats", flags.folds.repeats},
            {"fits", result.planned},     {"methods", Json::array()},
            {"left_out", Json::array()}};
  for (const auto& contender : comparison.unable)
    json["left_out"].push_back({{"method", contender.name()}, {"reason", contender.unsupported_reason(target)}});
  for (const auto& compared : result.ranked) {
    const tune::Contender& contender = comparison.contenders[compared.method];
    Json entry{{"method", contender.name()},
               {"summary", contender.setup().summary},
               {"scores", compared.scores},
               {"units", compared.units},
               {"seconds", compared.seconds}};
    for (const auto& [name, summary] : compared.metrics) entry["metrics"][name] = summary_json(summary);
    if (&compared != &result.ranked.front()) {
      entry["difference"] = summary_json(compared.difference);
      entry["wilcoxon_p"] = compared.wilcoxon;
    }
    json["methods"].push_back(std::move(entry));
  }
  return json;
}

void compare(const Flags& flags, const Common& common) {
  if (!flags.store.empty() && flags.store == flags.read.file)
    throw core::UsageError(fmt::format("--store {}: this file is an input", flags.store));
  if (flags.output == "-") throw core::UsageError("-o -: must be a file name");
  if (!flags.output.empty()) require_pages(), check_output(flags.output, {flags.read.file, flags.store});
  core::Workers workers(common.threads);
  const TrainingData data = read_training_data(flags.read, flags.target, common, workers);
  const auto problem = tune::read_problem(data.table, data.targets, flags.target.chosen_task());
  const auto device = open_device(flags.device, common);
  Comparison comparison{problem,
                        chosen_contenders(flags, data.weight_column, problem.target.task, device.get(), workers)};
  comparison.unable = remove_unable(comparison.contenders, problem.target);
  std::vector<const tune::Method*> methods;
  for (const auto& contender : comparison.contenders) methods.push_back(&contender);
  const auto store = flags.store.empty() ? nullptr : store::open(flags.store);

  catch_interrupts();
  const auto start = std::chrono::steady_clock::now();
  ProgressBar bar(common);
  FitCount count;
  tune::CompareOptions options{flags.folds.folds, flags.folds.repeats, flags.metric, flags.seed, store.get()};
  options.done = [&](std::size_t done, std::size_t total) { bar.update(done, total, count.show(done, total)); };
  options.stop = interrupted;
  const auto result = tune::compare(problem, methods, options, workers);
  bar.clear();
  if (result.stopped)
    throw Interrupted{fmt::format("stopped by Ctrl-C after {} of {} fits; {}", result.fits, result.planned,
                                  flags.store.empty()
                                      ? "nothing is saved; use --store FILE to make a comparison resumable"
                                      : fmt::format("rerun with --store {} to resume", flags.store))};
  if (const auto scarce = tune::note_scarce_class(problem, flags.folds.folds)) note(common, *scarce);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  note(common, fmt::format("{} in {}{}", core::counted(result.planned - result.found, "fit"), show_seconds(seconds),
                           result.found > 0 ? fmt::format(", {} more found in {}", result.found, flags.store) : ""));
  if (!flags.output.empty()) write_page(result, comparison, flags, common);
  if (common.json) return print_json(report_json(result, comparison, flags));
  Facts notes = notes_of(comparison);
  if (!flags.output.empty()) notes.emplace_back("page", flags.output);
  print(list_facts(facts_of(result, comparison, flags)) + "\n" + draw_table(table_of(result, comparison)) + "\n" +
        list_facts(notes));
}

}  // namespace

Run add_compare(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<Flags>();
  add_read_flags(app, flags->read);
  add_target_flags(app, flags->target);
  add_weight_flag(app, flags->read);
  app.add_option("-o,--output", flags->output, "also write a self-contained HTML report")
      ->type_name("FILE")
      ->check(not_empty);
  app.add_option("--methods", flags->methods,
                 fmt::format("methods to compare, from {} (default: all)", list_contenders()))
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
