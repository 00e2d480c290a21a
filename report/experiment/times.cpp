// Section: training times.

#include <fmt/format.h>

#include <algorithm>

#include "accrete/experiment/tasks.hpp"
#include "report/charts/text.hpp"
#include "report/experiment/figures.hpp"
#include "report/experiment/sections.hpp"

namespace accrete::report {
namespace {

/// One figure with early stopping, one with all epochs.
Figure times_figure(const std::vector<const TimesResult*>& methods, bool early, const std::string& profile) {
  const std::string& task = methods.front()->task;
  Plot plot{.title = fmt::format("{}: seconds, {}", task_title(task), early ? "early stopping" : "all 200 epochs"),
            .x = {.label = "units (deep network: per layer)"},
            .y = {.label = "seconds per fit", .log = true}};
  std::vector<NamedCurve> numbers;
  for (const TimesResult* result : methods) {
    const UnitsCurve& curve = early ? result->early : result->full;
    plot.series.push_back(curve_series(method_title(result->method), curve, 1.0));
    plot.series.back().colour = method_index(result->method);
    numbers.push_back({method_title(result->method), &curve});
  }
  return {figure_id("times", profile, task + (early ? "-early" : "-full")),
          fmt::format("Mean over {} on one thread; the band is one standard error.",
                      counted(methods.front()->folds, "fold")),
          std::move(plot), curve_table(numbers, 1.0)};
}

std::string show_seconds(double seconds) {
  return fmt::format("{:.3f}", seconds);
}

/// The paper's five columns with the published seconds below ours; the fastest is highlighted.
std::vector<Entry> time_entries(const std::vector<const TrainingTime*>& methods) {
  const experiment::PaperTask& task = experiment::task_named(methods.front()->task);
  std::vector<Entry> row{{std::string(task.title)}};
  const auto* fastest = *std::ranges::min_element(methods, {}, [](const TrainingTime* time) { return time->mean; });
  const auto* printed = experiment::published_seconds(task);
  for (std::size_t m = 0; m < experiment::timed_methods; ++m) {
    const std::string paper = printed ? show_seconds((*printed)[m]) : "";
    const auto at = std::ranges::find(methods, experiment::methods()[m].name, &TrainingTime::method);
    if (at == methods.end())
      row.push_back({"\u2013", paper});
    else
      row.push_back({fmt::format("{} ({})", show_seconds((*at)->mean), show_seconds((*at)->sd)), paper,
                     *at == fastest ? Tone::best : Tone::plain});
  }
  return row;
}

void add_training_times(Document& document, const ProfileResults& results) {
  RichTable seconds_table{fmt::format("seconds-{}", results.table.profile->name), {"task"}, {}, ""};
  for (std::size_t m = 0; m < experiment::timed_methods; ++m)
    seconds_table.header.emplace_back(experiment::methods()[m].title);
  for (const auto& methods : by_task(results.training_times)) seconds_table.rows.push_back(time_entries(methods));
  document.add(Heading{"Seconds per fit", 3});
  document.add(Paragraph{fmt::format(
      "Networks with 200 units; the deep one has three layers of 100. Mean (standard deviation) over {} on one "
      "thread; "
      "the paper's seconds, from another machine, are below in small type. The fastest of each row is bold and shaded.",
      counted(results.training_times.front().folds, "fold"))});
  document.add(std::move(seconds_table));
}

}  // namespace

void add_times(Document& document, const ProfileResults& results) {
  if (results.times.empty() && results.training_times.empty()) return;
  document.add(Heading{fmt::format("Training times, profile {}", results.table.profile->name)});
  for (const auto& methods : by_task(results.times))
    for (const bool early : {true, false})
      document.add(times_figure(methods, early, std::string(results.table.profile->name)));
  if (!results.training_times.empty()) add_training_times(document, results);
}

}  // namespace accrete::report
