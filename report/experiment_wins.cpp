// Section: the boosted network against each other method, task by task.

#include <fmt/format.h>

#include <map>

#include "report/experiment_ranks.hpp"
#include "report/experiment_sections.hpp"

namespace accrete::report {
namespace {

constexpr double standard_errors = 2.0;

/// Of one method's scores minus another's, part by part; higher is better.
tune::Summary paired_difference(const TaskRow& row, std::size_t method, std::size_t other) {
  std::map<std::pair<std::size_t, std::size_t>, double> theirs;
  for (const experiment::TestPart& part : row.cells[other]->parts) theirs[{part.repeat, part.fold}] = part.score;
  std::vector<double> differences;
  for (const experiment::TestPart& part : row.cells[method]->parts)
    if (const auto at = theirs.find({part.repeat, part.fold}); at != theirs.end())
      differences.push_back((row.higher_is_better() ? 1.0 : -1.0) * (part.score - at->second));
  return tune::summarise(differences);
}

tune::Tally tally_of(const ProfileTable& table, TaskGroup group, std::size_t other) {
  constexpr std::size_t boosted = 0;
  std::vector<tune::Summary> differences;
  for (const TaskRow& row : table.rows)
    if (belongs(row, group) && row.has(boosted) && row.has(other))
      differences.push_back(paired_difference(row, boosted, other));
  return tune::tally(differences, standard_errors, tune::Better::higher);
}

}  // namespace

void add_wins(Document& document, const ProfileTable& table) {
  const std::string_view boosted = experiment::methods()[0].title;
  Sheet sheet{fmt::format("wins-{}", table.profile->name), {fmt::format("{} against", boosted)}, {}, ""};
  constexpr TaskGroup groups[] = {TaskGroup::classification, TaskGroup::regression, TaskGroup::all};
  for (const TaskGroup group : groups) sheet.header.emplace_back(group_name(group));
  for (std::size_t other = 1; other < experiment::methods().size(); ++other) {
    auto& row = sheet.rows.emplace_back();
    row.push_back({std::string(experiment::methods()[other].title)});
    for (const TaskGroup group : groups) {
      const tune::Tally tally = tally_of(table, group, other);
      row.push_back({fmt::format("{} / {} / {}", tally.wins, tally.ties, tally.losses)});
    }
  }
  document.add(Heading{fmt::format("Wins, ties and losses of {}", boosted), 3});
  document.add(Paragraph{fmt::format(
      "Tasks where {} did better / neither / worse. Differences are taken test part by test part, on the same rows; "
      "one of more than two standard errors is a win or a loss. Test parts share training rows, so the standard error "
      "is the customary measure and not an exact one.",
      boosted)});
  document.add(std::move(sheet));
}

}  // namespace accrete::report
