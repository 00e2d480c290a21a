// Section: the boosted network's figures against those that the paper prints for it.

#include <fmt/format.h>

#include <cmath>

#include "report/experiment_sections.hpp"

namespace accrete::report {
namespace {

constexpr std::size_t boosted = 0;
constexpr double many = 2.0;  // standard errors that are more than luck

/// Test parts of the paper: ten folds five times, or ten draws.
double paper_parts(const experiment::Task& task) {
  return task.training_rows == 0 ? 50.0 : 10.0;
}

struct Beside {
  double difference = 0.0;  ///< ours minus the paper's
  double gain = 0.0;        ///< the same in standard errors; above 0: ours is better
};

Beside compare(const TaskRow& row) {
  const auto& printed = row.task->printed[boosted];
  const tune::Summary ours = row.shown(boosted);
  const double difference = ours.mean - printed.mean;
  const double error = std::sqrt(printed.sd * printed.sd / paper_parts(*row.task) + ours.se * ours.se);
  const double gain = row.higher_is_better() ? difference : -difference;
  return {difference, difference == 0.0 ? 0.0 : gain / error};
}

std::vector<Entry> entries_of(const TaskRow& row, const Beside& beside) {
  const bool worse = beside.gain < -many;
  return {{std::string(row.task->title), std::string(row.task->remark)},
          {show_printed(row, boosted)},
          {show_score(row, boosted)},
          {fmt::format("{:+.{}f}", beside.difference, row.higher_is_better() ? 2 : 3)},
          {fmt::format("{:+.1f}", beside.gain)},
          {worse                ? "worse"
           : beside.gain > many ? "better"
                                : "as good",
           "", worse ? Tone::worse : Tone::plain}};
}

}  // namespace

void add_beside_paper(Document& document, const ProfileTable& table) {
  Sheet sheet{fmt::format("paper-{}", table.profile->name),
              {"task", "paper", "ours", "difference", "standard errors", "ours is"},
              {},
              ""};
  std::size_t better = 0, worse = 0;
  for (const TaskRow& row : table.rows) {
    if (!row.has(boosted)) continue;
    const Beside beside = compare(row);
    better += beside.gain > many;
    worse += beside.gain < -many;
    sheet.rows.push_back(entries_of(row, beside));
  }
  if (sheet.rows.empty()) return;
  document.add(Heading{fmt::format("{} beside the paper's own figures", experiment::methods()[boosted].title), 3});
  document.add(Paragraph{fmt::format(
      "Of {} tasks ours is better on {} and worse on {} by more than two standard errors, and as good on {}. The "
      "standard error of a difference is the root of (paper's sd)\u00b2/n + (our sd)\u00b2/m, with the paper's n = 50 "
      "test parts (10 for Waveform-300) and our m; standard errors are counted so that above 0 ours is better. "
      "Differences are ours minus the paper's.",
      sheet.rows.size(), better, worse, sheet.rows.size() - better - worse)});
  document.add(std::move(sheet));
}

}  // namespace accrete::report
