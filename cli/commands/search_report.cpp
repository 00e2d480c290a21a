#include "cli/commands/search_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "accrete/core/counted.hpp"
#include "cli/support/options.hpp"

namespace accrete::cli {
namespace {

constexpr std::size_t max_shown = 10;

std::string best_table(const tune::SearchResult& result) {
  std::vector<std::vector<std::string>> rows(1);
  for (const auto& setting : result.best().settings) rows[0].push_back(setting.first);
  rows[0].insert(rows[0].end(), {"units", result.metric});
  for (std::size_t i = 0; i < std::min(max_shown, result.tried.size()); ++i) {
    std::vector<std::string> row;
    for (const auto& setting : result.tried[i].settings) row.push_back(setting.second);
    row.push_back(std::to_string(result.tried[i].units));
    row.push_back(show_with_error(result.metric, result.tried[i].score));
    rows.push_back(std::move(row));
  }
  return draw_table(rows);
}

std::string grid_text(const tune::Grid& grid) {
  std::string text;
  for (const auto& axis : grid.axes) text += fmt::format("{} {}; ", axis.name, fmt::join(axis.values, " "));
  return text + fmt::format("units {}", fmt::join(grid.units, " "));
}

/// The candidate with the fewest units.
const tune::SearchTrial& smallest(const std::vector<const tune::SearchTrial*>& near) {
  return **std::ranges::min_element(near, {}, [](const tune::SearchTrial* t) { return t->units; });
}

std::string near_text(const tune::SearchResult& result) {
  const auto near = result.within_one_se();
  std::string text = fmt::format("{} of {} within one standard error of the best", near.size(),
                                 core::counted(result.tried.size(), "candidate"));
  if (const tune::SearchTrial& small = smallest(near); small.units < result.best().units)
    text += fmt::format("; fewest units: {}", show_setting(small));
  return text;
}

Json tried_json(const tune::SearchTrial& tried, const std::string& metric) {
  Json json = parameters_json(tried.settings);
  json["units"] = tried.units;
  json[metric] = {{"mean", tried.score.mean}, {"sd", tried.score.sd}, {"se", tried.score.se}};
  return json;
}

Json nested_json(const SearchReport& report) {
  Json json{{"folds", Json::array()}, {"metrics", Json::object()}};
  for (const auto& fold : report.result.outer) {
    Json entry{{"repeat", fold.repeat}, {"fold", fold.fold}, {"chosen", tried_json(fold.chosen, report.result.metric)}};
    for (const auto& [name, value] : fold.metrics) entry["metrics"][name] = value;
    json["folds"].push_back(std::move(entry));
  }
  for (const auto& metric : report.result.outer.front().metrics) {
    const tune::Summary s = report.result.outer_score(metric.first);
    json["metrics"][metric.first] = {{"mean", s.mean}, {"sd", s.sd}, {"se", s.se}};
  }
  return json;
}

}  // namespace

std::string show_setting(const tune::SearchTrial& tried) {
  std::string text;
  for (const auto& [name, value] : tried.settings) text += fmt::format("{} {}, ", name, value);
  return text + fmt::format("units {}", tried.units);
}

std::string search_text(const SearchReport& report) {
  const auto& [problem, options, result, preset, target_given, output, refit] = report;
  std::vector<std::pair<std::string, std::string>> facts, ends;
  if (!target_given) facts.emplace_back("target", "the last column; choose another with --target");
  facts.emplace_back("task", show_task(problem.target.task, problem.target.reason));
  facts.emplace_back("grid", grid_text(options.grid));
  facts.emplace_back("folds", fmt::format("{}, preset {}, {} fits", show_folds({options.folds, options.repeats}),
                                          preset, result.planned));
  ends.emplace_back(
      "chosen",
      fmt::format("{}: {} {}, mean ± standard error of the mean over {} folds", show_setting(result.best()),
                  result.metric, show_with_error(result.metric, result.best().score), options.folds * options.repeats));
  ends.emplace_back("near", near_text(result));
  if (!result.outer.empty())
    ends.emplace_back(
        "expect",
        fmt::format("{} {} on rows not used for the choice: nested cross-validation, {} outer folds", result.metric,
                    show_with_error(result.metric, result.outer_score(result.metric)), result.outer.size()));
  if (refit)
    ends.emplace_back(
        "saved", fmt::format("{}: {}, fitted to all {} rows", output, core::counted(refit->network.units(), "unit"),
                             refit->provenance.training_rows));
  return list_facts(facts) + "\n" + best_table(result) + "\n" + list_facts(ends);
}

Json search_json(const SearchReport& report) {
  const auto& [problem, options, result, preset, target_given, output, refit] = report;
  Json json{{"metric", result.metric},
            {"chosen", tried_json(result.best(), result.metric)},
            {"task", data::task_name(problem.target.task)},
            {"task_reason", render(problem.target.reason)},
            {"preset", preset},
            {"folds", options.folds},
            {"repeats", options.repeats},
            {"fits", result.planned},
            {"tried", Json::array()}};
  for (const auto& tried : result.tried) json["tried"].push_back(tried_json(tried, result.metric));
  json["within_one_se"] = result.within_one_se().size();
  if (!result.outer.empty()) json["nested"] = nested_json(report);
  if (refit) {
    json["model"] = output;
    json["parameters"] = parameters_json(refit->provenance.parameters);
  }
  return json;
}

}  // namespace accrete::cli
