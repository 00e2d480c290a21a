// accrete compare: the network that grows and the usual networks, on the same folds of one file.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>

#include "accrete/core/counted.hpp"
#include "accrete/core/error.hpp"
#include "accrete/store/store.hpp"
#include "accrete/tune/compare.hpp"
#include "accrete/tune/contender.hpp"
#include "cli/commands.hpp"
#include "cli/compare_page.hpp"
#include "cli/device.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/print.hpp"
#include "cli/progress.hpp"

namespace accrete::cli {
namespace {

struct Flags {
  ReadFlags read;
  TargetFlags target;
  std::vector<std::string> methods;
  std::string store, metric, output, device = "cpu";
  FoldFlags cut;
  std::uint64_t seed = 0;
};

std::string list_contenders() {
  std::string names;
  for (const auto& setup : tune::contenders()) names += (names.empty() ? "" : ", ") + setup.name;
  return names;
}

/// In the order of the list, each once.
std::vector<tune::Contender> chosen_contenders(const Flags& flags, data::Task task, backend::ManyFits* machine,
                                               core::Workers& workers) {
  for (const std::string& name : flags.methods)
    if (std::ranges::find(tune::contenders(), name, &tune::ContenderSetup::name) == tune::contenders().end())
      throw core::UsageError(fmt::format("--methods {}: must be some of {}", name, list_contenders()));
  std::vector<tune::Contender> chosen;
  for (const auto& setup : tune::contenders())
    if (flags.methods.empty() || std::ranges::find(flags.methods, setup.name) != flags.methods.end())
      chosen.emplace_back(setup, flags.read.weight_column, task, machine, &workers);
  return chosen;
}

/// Takes out those that cannot learn the target: for the others there is an answer all the same. Throws UsageError when
/// none is left.
std::vector<tune::Contender> take_unable(std::vector<tune::Contender>& contenders, const data::Target& target) {
  const auto unable = std::ranges::stable_partition(
      contenders, [&](const tune::Contender& contender) { return contender.reason_against(target).empty(); });
  std::vector<tune::Contender> taken(unable.begin(), unable.end());
  contenders.erase(unable.begin(), unable.end());
  if (contenders.empty())
    throw core::UsageError(fmt::format("--methods {}: {}", taken.front().name(), taken.front().reason_against(target)));
  return taken;
}

std::string score_text(const std::string& metric, const tune::Summary& s) {
  return std::isfinite(s.mean) ? show_with_error(metric, s) : "diverged";
}

std::string difference_text(const std::string& metric, const tune::Summary& s) {
  if (!std::isfinite(s.mean)) return "-";
  const double scale = metric == "accuracy" ? 100.0 : 1.0;
  return fmt::format("{:+.3g} ± {:.2g}", scale * s.mean, scale * s.se);
}

/// More than two standard errors are called a difference.
std::string verdict(const tune::Summary& s) {
  if (!std::isfinite(s.mean)) return "no score";
  return std::abs(s.mean) > 2.0 * s.se ? "worse" : "level";
}

/// The metrics in columns, the one that ranks first.
std::vector<std::string> columns_of(const tune::CompareResult& result) {
  std::vector<std::string> names{result.metric};
  for (const auto& [name, unused] : result.ranked.front().metrics)
    if (name != result.metric) names.push_back(name);
  return names;
}

/// What is compared, those who do and those who cannot.
struct Field {
  const tune::Problem& problem;
  std::vector<tune::Contender> contenders, unable = {};
};

std::vector<std::vector<std::string>> table_of(const tune::CompareResult& result, const Field& field) {
  const auto metrics = columns_of(result);
  std::vector<std::vector<std::string>> rows(1, {"method"});
  rows[0].insert(rows[0].end(), metrics.begin(), metrics.end());
  rows[0].insert(rows[0].end(), {"to the best", "", "units", "fit"});
  for (const auto& compared : result.ranked) {
    std::vector<std::string> row{field.contenders[compared.method].name()};
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
  for (const auto& contender : field.unable) {
    auto& row = rows.emplace_back(rows[0].size(), "-");
    row[0] = contender.name();
    row[metrics.size() + 2] = "left out";
  }
  return rows;
}

using Facts = std::vector<std::pair<std::string, std::string>>;

Facts facts_of(const tune::CompareResult& result, const Field& field, const Flags& flags) {
  const tune::Problem& problem = field.problem;
  Facts facts;
  if (flags.target.targets.empty()) facts.emplace_back("target", "the last column; --target chooses another");
  const std::string& reason = problem.target.reason;
  facts.emplace_back("task", data::task_name(problem.target.task) + (reason.empty() ? std::string() : ": " + reason));
  facts.emplace_back("folds",
                     fmt::format("{}, the same for every method; {} fits", show_folds(flags.cut), result.planned));
  return facts;
}

Facts notes_of(const Field& field) {
  Facts notes;
  notes.emplace_back("to read",
                     "mean and standard error over the folds; \"to the best\" is the mean of the differences "
                     "fold by fold, \"level\" one of at most 2 standard errors");
  for (const auto& contender : field.contenders) notes.emplace_back(contender.name(), contender.setup().summary);
  for (const auto& contender : field.unable)
    notes.emplace_back(contender.name(), fmt::format("{}; left out: {}", contender.setup().summary,
                                                     contender.reason_against(field.problem.target)));
  return notes;
}

void write_page(const tune::CompareResult& result, const Field& field, const Flags& flags, const Common& common) {
  ComparePageTask task{flags.output,
                       "Methods compared on " + std::filesystem::path(flags.read.file).filename().string(),
                       facts_of(result, field, flags),
                       notes_of(field),
                       {},
                       table_of(result, field)};
  for (const auto& contender : field.contenders) task.names.push_back(contender.name());
  write_compare_page(result, task, common);
}

Json summary_json(const tune::Summary& s) {
  return {{"mean", s.mean}, {"sd", s.sd}, {"se", s.se}};
}

Json report_json(const tune::CompareResult& result, const Field& field, const Flags& flags) {
  const data::Target& target = field.problem.target;
  Json json{{"metric", result.metric},  {"task", data::task_name(target.task)},
            {"folds", flags.cut.folds}, {"repeats", flags.cut.repeats},
            {"fits", result.planned},   {"methods", Json::array()},
            {"left_out", Json::array()}};
  for (const auto& contender : field.unable)
    json["left_out"].push_back({{"method", contender.name()}, {"reason", contender.reason_against(target)}});
  for (const auto& compared : result.ranked) {
    const tune::Contender& contender = field.contenders[compared.method];
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
    throw core::UsageError(fmt::format("--store {}: that file is an input", flags.store));
  if (flags.output == "-") throw core::UsageError("-o -: needs the name of a file");
  if (!flags.output.empty()) require_pages(), check_output(flags.output, {flags.read.file, flags.store});
  core::Workers workers(common.threads);
  const data::Table table = read_training_table(flags.read, flags.target, workers);
  note_numeric_header(table, flags.read, common);
  const auto problem = tune::read_problem(table, flags.target.targets, flags.target.chosen_task());
  const auto machine = open_machine(flags.device, common);
  Field field{problem, chosen_contenders(flags, problem.target.task, machine.get(), workers)};
  field.unable = take_unable(field.contenders, problem.target);
  std::vector<const tune::Method*> methods;
  for (const auto& contender : field.contenders) methods.push_back(&contender);
  const auto store = flags.store.empty() ? nullptr : store::open(flags.store);

  catch_interrupts();
  const auto start = std::chrono::steady_clock::now();
  ProgressBar bar(common);
  FitCount count;
  tune::CompareOptions options{flags.cut.folds, flags.cut.repeats, flags.metric, flags.seed, store.get()};
  options.done = [&](std::size_t done, std::size_t total) { bar.update(done, total, count.show(done, total)); };
  options.stop = interrupted;
  const auto result = tune::compare(problem, methods, options, workers);
  bar.clear();
  if (result.stopped)
    throw Interrupted{fmt::format("stopped by Ctrl-C after {} of {} fits; {}", result.fits, result.planned,
                                  flags.store.empty()
                                      ? "nothing is kept; with --store FILE a comparison can go on"
                                      : fmt::format("the same command with --store {} goes on", flags.store))};
  if (const auto scarce = tune::note_scarce_class(problem, flags.cut.folds)) note(common, *scarce);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  note(common, fmt::format("{} in {}{}", core::counted(result.planned - result.found, "fit"), show_seconds(seconds),
                           result.found > 0 ? fmt::format(", {} more were in {}", result.found, flags.store) : ""));
  if (!flags.output.empty()) write_page(result, field, flags, common);
  if (common.json) return print_json(report_json(result, field, flags));
  Facts notes = notes_of(field);
  if (!flags.output.empty()) notes.emplace_back("page", flags.output);
  print(list_facts(facts_of(result, field, flags)) + "\n" + draw_table(table_of(result, field)) + "\n" +
        list_facts(notes));
}

}  // namespace

Run add_compare(CLI::App& app, const Common& common) {
  auto flags = std::make_shared<Flags>();
  add_read_flags(app, flags->read);
  add_target_flags(app, flags->target);
  add_weight_flag(app, flags->read);
  app.add_option("-o,--output", flags->output, "also a page with pictures, one file that opens from disk")
      ->type_name("FILE")
      ->check(not_empty);
  app.add_option("--methods", flags->methods, fmt::format("some of {} (default: all)", list_contenders()))
      ->type_name("NAME,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_fold_flags(app, flags->cut);
  add_metric_flag(app, flags->metric, "rank");
  add_seed_flag(app, flags->seed, "folds and fits are drawn");
  add_store_flag(app, flags->store);
  add_device_flag(app, flags->device);
  return [flags, &common] { compare(*flags, common); };
}

}  // namespace accrete::cli
