#include "report/experiment/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "accrete/core/version.hpp"
#include "report/charts/text.hpp"
#include "report/experiment/sections.hpp"

namespace accrete::report {
namespace {

std::set<std::uint64_t> seeds_of(const ProfileTable& table) {
  std::set<std::uint64_t> seeds;
  for (const TaskRow& row : table.rows)
    for (const auto& cell : row.cells)
      if (cell) seeds.insert(cell->seed);
  return seeds;
}

/// " --seed 7", if the whole table has one seed other than 0.
std::string seed_flag(const ProfileTable& table) {
  const auto seeds = seeds_of(table);
  return seeds.size() == 1 && *seeds.begin() != 0 ? fmt::format(" --seed {}", *seeds.begin()) : "";
}

std::string list_flag(const char* flag, const std::vector<std::string_view>& names, std::size_t all) {
  return names.size() == all ? "" : fmt::format(" {} {}", flag, fmt::join(names, ","));
}

/// " --methods gbnn --device cuda": the flags of a table that is restricted to some tasks or methods. Empty for an
/// unfinished table.
std::string table_flags(const ProfileTable& table) {
  std::vector<std::string_view> tasks, methods;
  for (const std::size_t m : table.methods()) methods.push_back(experiment::methods()[m].name);
  std::set<std::string> devices;
  for (const TaskRow& row : table.rows) {
    bool any = false;
    for (const auto& cell : row.cells)
      if (cell) any = true, devices.insert(cell->device);
    if (any) tasks.push_back(row.task->name);
  }
  if (table.cells() != tasks.size() * methods.size()) return "";
  devices.erase("cpu");
  return list_flag("--tasks", tasks, table.rows.size()) +
         list_flag("--methods", methods, experiment::methods().size()) +
         (devices.empty() ? "" : fmt::format(" --device {}", *devices.begin()));
}

/// The commands that reproduce the results.
std::string commands(const std::vector<ProfileResults>& profiles) {
  std::string text;
  for (const ProfileResults& p : profiles) {
    const auto run = [&](const std::string& what, bool there) {
      if (there)
        text += fmt::format("accrete experiment run {} --profile {}{} --store runs.sqlite\n", what,
                            p.table.profile->name, seed_flag(p.table));
    };
    run("table --data DIR" + table_flags(p.table), p.table.cells() > 0);
    run("curves --data DIR", !p.curves.empty());
    run("times --data DIR", !p.times.empty() || !p.training_times.empty());
    run("boundary", !p.boundaries.empty());
  }
  return text + "accrete experiment report --store runs.sqlite -o report/";
}

RichTable facts(const std::vector<ProfileResults>& profiles) {
  RichTable facts_table{"facts", {"", ""}, {{{"made by"}, {fmt::format("accrete {}", core::version())}}}, ""};
  for (const ProfileResults& p : profiles) {
    const experiment::Profile& profile = *p.table.profile;
    facts_table.rows.push_back({{fmt::format("profile {}", profile.name)},
                                {fmt::format("{}{}", profile.summary,
                                             profile.full_grids ? "" : ": fewer fits than the paper, to save time")}});
    if (p.table.cells() == 0) continue;
    facts_table.rows.push_back(
        {{"table"},
         {fmt::format("{} of {} cells; seed {}", p.table.cells(), p.table.rows.size() * experiment::methods().size(),
                      fmt::join(seeds_of(p.table), ", "))}});
  }
  return facts_table;
}

void add_profile(Document& document, const ProfileResults& p) {
  const std::string_view name = p.table.profile->name;
  if (p.table.cells() > 0) {
    const auto methods = p.table.methods();
    const std::string who = methods.size() == 1 ? std::string(experiment::methods()[methods.front()].title) : "Methods";
    document.add(Heading{fmt::format("{} on the paper's tasks, profile {}", who, name)});
    add_score_table(document, p.table);
    add_protocol(document, p.table);
    if (methods.size() != 1) {
      add_rank_diagrams(document, p.table);
      add_wins(document, p.table);
    }
    add_paper_comparison(document, p.table);
    add_choices(document, p.table);
  }
  add_curves(document, p);
  add_times(document, p);
  add_boundaries(document, p);
}

}  // namespace

bool ProfileResults::empty() const {
  return table.cells() == 0 && curves.empty() && times.empty() && training_times.empty() && boundaries.empty();
}

std::vector<ProfileResults> read_experiments(const std::vector<store::Result>& results) {
  std::vector<ProfileResults> all;
  for (ProfileTable& table : profile_tables(results)) {
    const std::string_view name = table.profile->name;
    ProfileResults here{std::move(table), read_curves(results, name), read_times(results, name),
                        read_training_times(results, name), read_boundaries(results, name)};
    if (!here.empty()) all.push_back(std::move(here));
  }
  return all;
}

Document experiment_document(const std::vector<ProfileResults>& profiles) {
  Document document{"The paper's experiments, reproduced"};
  document.add(Paragraph{
      "Emami and Mart\u00ednez-Mu\u00f1oz grow a network with one hidden layer by gradient boosting (GBNN) and compare "
      "it with conventionally trained networks. These are their experiments with accrete's implementations. All "
      "results come from these commands."});
  document.add(Commands{commands(profiles)});
  document.add(facts(profiles));
  for (const ProfileResults& p : profiles) add_profile(document, p);
  return document;
}

}  // namespace accrete::report
