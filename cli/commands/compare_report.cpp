#include "cli/commands/compare_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "cli/peers/process.hpp"

namespace accrete::cli {
namespace {

std::string score_text(const std::string& metric, const tune::Summary& s) {
  return std::isfinite(s.mean) ? show_with_error(metric, s) : "diverged";
}

std::string difference_text(const std::string& metric, const tune::Summary& s) {
  if (!std::isfinite(s.mean)) return "-";
  const double scale = is_share(metric) ? 100.0 : 1.0;
  return fmt::format("{:+.3g} ± {:.2g}", scale * s.mean, scale * s.se);
}

/// A difference of more than two standard errors is significant.
std::string verdict(const tune::Summary& s) {
  if (!std::isfinite(s.mean)) return "no score";
  return std::abs(s.mean) > 2.0 * s.se ? "worse" : "level";
}

/// The metrics to show as columns, the ranking metric first; the JSON has more.
std::vector<std::string> metric_columns(const tune::CompareResult& result) {
  constexpr std::size_t shown = 3;
  std::vector<std::string> names{result.metric};
  for (const auto& [name, unused] : result.ranked.front().metrics)
    if (name != result.metric && names.size() < shown) names.push_back(name);
  return names;
}

}  // namespace

std::vector<std::vector<std::string>> table_of(const tune::CompareResult& result, const Comparison& comparison) {
  const auto metrics = metric_columns(result);
  std::vector<std::vector<std::string>> rows(1, {"method"});
  rows[0].insert(rows[0].end(), metrics.begin(), metrics.end());
  rows[0].insert(rows[0].end(), {"to the best", "", "units", "fit"});
  for (const auto& compared : result.ranked) {
    std::vector<std::string> row{comparison.methods[compared.method].name()};
    for (const auto& name : metrics)
      row.push_back(
          score_text(name, std::ranges::find(compared.metrics, name, [](auto& m) { return m.first; })->second));
    const bool best = &compared == &result.ranked.front();
    row.push_back(best ? "" : difference_text(result.metric, compared.difference));
    row.push_back(best ? "best" : verdict(compared.difference));
    row.push_back(compared.units > 0.0 ? fmt::format("{:.0f}", compared.units) : "-");
    row.push_back(show_seconds(compared.seconds));
    rows.push_back(std::move(row));
  }
  for (const NamedMethod& named : comparison.unsupported_methods) {
    auto& row = rows.emplace_back(rows[0].size(), "-");
    row[0] = named.name();
    row[metrics.size() + 2] = "left out";
  }
  return rows;
}

Facts facts_of(const tune::CompareResult& result, const Comparison& comparison, const CompareFlags& flags) {
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
  notes.emplace_back(
      "to read",
      "mean ± standard error of the mean over the folds; \"to the best\": mean of the differences per fold; "
      "\"level\": within 2 standard errors");
  for (const NamedMethod& named : comparison.methods) notes.emplace_back(named.name(), named.summary);
  for (const NamedMethod& named : comparison.unsupported_methods)
    notes.emplace_back(named.name(), fmt::format("{}; left out: {}", named.summary, named.unsupported));
  if (!comparison.missing.empty())
    notes.emplace_back("left out",
                       fmt::format("{}: not installed for {}", fmt::join(comparison.missing, ", "), python_command()));
  return notes;
}

Json compare_json(const tune::CompareResult& result, const Comparison& comparison, const CompareFlags& flags) {
  const data::Target& target = comparison.problem.target;
  Json json{{"metric", result.metric},    {"task", data::task_name(target.task)},
            {"folds", flags.folds.folds}, {"repeats", flags.folds.repeats},
            {"fits", result.planned},     {"methods", Json::array()},
            {"left_out", Json::array()}};
  for (const NamedMethod& named : comparison.unsupported_methods)
    json["left_out"].push_back({{"method", named.name()}, {"reason", named.unsupported}});
  for (const std::string& name : comparison.missing)
    json["left_out"].push_back({{"method", name}, {"reason", "not installed for " + python_command()}});
  for (const auto& compared : result.ranked) {
    const NamedMethod& named = comparison.methods[compared.method];
    Json entry{{"method", named.name()},
               {"summary", named.summary},
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

}  // namespace accrete::cli
