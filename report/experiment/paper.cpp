// Section: the boosted network's scores compared with the published ones.

#include <fmt/format.h>

#include <cmath>

#include "report/experiment/sections.hpp"

namespace accrete::report {
namespace {

constexpr std::size_t boosted = 0;
constexpr double significant = 2.0;  // standard errors

/// Test folds in the paper: five times ten folds, or ten random splits.
double paper_parts(const experiment::PaperTask& task) {
  return task.training_rows == 0 ? 50.0 : 10.0;
}

struct PaperComparison {
  double difference = 0.0;  ///< our score minus the published one
  double gain = 0.0;        ///< the difference in standard errors; above 0: ours is better
};

PaperComparison compare(const TaskRow& row) {
  const auto& printed = row.task->printed[boosted];
  const tune::Summary ours = row.shown(boosted);
  const double difference = ours.mean - printed.mean;
  const double error = std::sqrt(printed.sd * printed.sd / paper_parts(*row.task) + ours.se * ours.se);
  const double gain = row.higher_is_better() ? difference : -difference;
  return {difference, difference == 0.0 ? 0.0 : gain / error};
}

std::vector<Entry> entries_of(const TaskRow& row, const PaperComparison& comparison) {
  const bool worse = comparison.gain < -significant;
  return {{std::string(row.task->title), std::string(row.task->remark)},
          {show_printed(row, boosted)},
          {show_score(row, boosted)},
          {fmt::format("{:+.{}f}", comparison.difference, row.higher_is_better() ? 2 : 3)},
          {fmt::format("{:+.1f}", comparison.gain)},
          {worse                           ? "worse"
           : comparison.gain > significant ? "better"
                                           : "level",
           "", worse ? Tone::worse : Tone::plain}};
}

}  // namespace

void add_paper_comparison(Document& document, const ProfileTable& table) {
  RichTable comparisons{fmt::format("paper-{}", table.profile->name),
                        {"task", "paper", "ours", "difference", "standard errors", "ours is"},
                        {},
                        ""};
  std::size_t better = 0, worse = 0;
  for (const TaskRow& row : table.rows) {
    if (!row.has(boosted)) continue;
    const PaperComparison comparison = compare(row);
    better += comparison.gain > significant;
    worse += comparison.gain < -significant;
    comparisons.rows.push_back(entries_of(row, comparison));
  }
  if (comparisons.rows.empty()) return;
  document.add(Heading{fmt::format("{} compared with the paper", experiment::methods()[boosted].title), 3});
  document.add(Paragraph{fmt::format(
      "Of {} tasks, ours is better on {} and worse on {} by more than two standard errors, and level on {}. "
      "Differences "
      "are ours minus the paper's. The standard error of a difference is the root of (paper's sd)\u00b2/n + (our "
      "sd)\u00b2/m, with the paper's n = 50 test folds (10 for Waveform-300) and our m. Differences in standard errors "
      "are positive if ours is better.",
      comparisons.rows.size(), better, worse, comparisons.rows.size() - better - worse)});
  document.add(std::move(comparisons));
}

}  // namespace accrete::report
