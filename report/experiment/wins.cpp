// Section: wins, ties and losses of the boosted network against each method.

#include <fmt/format.h>

#include <map>

#include "report/experiment/ranks.hpp"
#include "report/experiment/sections.hpp"

namespace accrete::report {
namespace {

constexpr double standard_errors = 2.0;

/// One method's scores minus another's, fold by fold; higher is better.
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
  RichTable wins_table{fmt::format("wins-{}", table.profile->name), {fmt::format("{} against", boosted)}, {}, ""};
  constexpr TaskGroup groups[] = {TaskGroup::classification, TaskGroup::regression, TaskGroup::all};
  for (const TaskGroup group : groups) wins_table.header.emplace_back(group_name(group));
  for (std::size_t other = 1; other < experiment::methods().size(); ++other) {
    auto& row = wins_table.rows.emplace_back();
    row.push_back({std::string(experiment::methods()[other].title)});
    for (const TaskGroup group : groups) {
      const tune::Tally tally = tally_of(table, group, other);
      row.push_back({fmt::format("{} / {} / {}", tally.wins, tally.ties, tally.losses)});
    }
  }
  document.add(Heading{fmt::format("Wins, ties and losses of {}", boosted), 3});
  document.add(
      Paragraph{fmt::format("Tasks won / tied / lost by {}. Differences are paired by test fold; a difference of more "
                            "than two standard errors "
                            "is a win or a loss. Folds share training rows, so the standard error is approximate.",
                            boosted)});
  document.add(std::move(wins_table));
}

}  // namespace accrete::report
