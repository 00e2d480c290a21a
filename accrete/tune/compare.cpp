#include "accrete/tune/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "accrete/boosting/split.hpp"
#include "accrete/tune/contender.hpp"
#include "accrete/tune/runs.hpp"
#include "accrete/tune/scores.hpp"
#include "accrete/tune/statistics/wilcoxon.hpp"

namespace accrete::tune {
namespace {

double score_named(const FitRecord& record, const std::string& name) {
  for (const auto& [metric, value] : record.prefixes.front().metrics)
    if (metric == name) return value;
  return std::nan("");
}

/// A failed fit has no scores; a fold without rows of some class lacks only one of them.
bool any_failed(std::span<const FitRecord> records) {
  const auto failed = [](const FitRecord& record) {
    return std::ranges::all_of(record.prefixes.front().metrics, [](const auto& m) { return std::isnan(m.second); });
  };
  return std::ranges::any_of(records, failed);
}

/// The metrics that all records have: a store may hold records of a version with fewer metrics.
std::vector<std::string> common_metrics(std::span<const FitRecord> records) {
  std::vector<std::string> names;
  const auto has = [](const FitRecord& record, const std::string& name) {
    return std::ranges::any_of(record.prefixes.front().metrics, [&](const auto& m) { return m.first == name; });
  };
  for (const auto& [name, unused] : records.front().prefixes.front().metrics)
    if (std::ranges::all_of(records, [&, n = name](const FitRecord& record) { return has(record, n); }))
      names.push_back(name);
  return names;
}

Compared summarise_method(std::size_t method, std::span<const FitRecord> records, std::span<const std::string> metrics,
                          const std::string& ranking) {
  Compared result;
  result.method = method;
  for (const std::string& name : metrics) {
    std::vector<double> values;
    for (const FitRecord& record : records) values.push_back(score_named(record, name));
    std::vector<double> known = values;
    if (needs_every_class(metric::Metric::named(name)) && !any_failed(records))
      std::erase_if(known, [](double value) { return std::isnan(value); });
    result.metrics.emplace_back(name, summarise(known));
    if (name == ranking) result.scores = std::move(values);
  }
  for (const FitRecord& record : records) {
    result.units += static_cast<double>(record.units) / static_cast<double>(records.size());
    result.seconds += record.seconds / static_cast<double>(records.size());
  }
  return result;
}

void hold_to_best(const Compared& best, Compared& other) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < best.scores.size(); ++i) differences.push_back(other.scores[i] - best.scores[i]);
  other.difference = summarise(differences);
  if (std::isfinite(other.difference.mean)) other.wilcoxon = wilcoxon(differences).p;
}

}  // namespace

CompareResult compare(const Problem& problem, const std::vector<const Method*>& methods, const CompareOptions& options,
                      core::Workers& workers) {
  const auto metric = ranking_metric(options.metric, problem.target.task);
  CompareResult result;
  result.metric = metric.name();
  result.better = metric.higher_is_better() ? Better::higher : Better::lower;

  const auto rows = boosting::all_rows(problem.table.rows());
  std::vector<std::vector<data::Split>> repeats;
  for (std::size_t r = 0; r < options.repeats; ++r)
    repeats.push_back(draw_folds(problem, rows, {options.folds, options.seed, r, needs_every_class(metric)}));
  const std::uint64_t data = fingerprint(problem);
  std::vector<PlannedFit> fits;
  for (const Method* method : methods)
    for (std::size_t r = 0; r < repeats.size(); ++r)
      for (std::size_t f = 0; f < options.folds; ++f) {
        FitKey key{fmt::format("compare folds={} seed={}", options.folds, options.seed), data,
                   method->text({}, whole_model), static_cast<std::int64_t>(r), static_cast<std::int64_t>(f)};
        key.seed = seed_of(options.seed, key, method->name());
        fits.push_back({method, &repeats[r][f], {}, std::move(key)});
      }
  result.planned = fits.size();

  Runs runs(problem,
            {.units = {whole_model},
             .records = options.records,
             .planned = fits.size(),
             .done = options.done,
             .stop = options.stop,
             .metric = result.metric},
            workers);
  const auto records = runs.run(fits);
  result.fits = runs.done();
  result.found = runs.found();
  result.stopped = records.empty();
  if (result.stopped) return result;
  const std::size_t each = options.repeats * options.folds;
  const auto metrics = common_metrics(records);
  for (std::size_t m = 0; m < methods.size(); ++m)
    result.ranked.push_back(summarise_method(m, std::span(records).subspan(m * each, each), metrics, result.metric));
  std::ranges::stable_sort(result.ranked, [&](const Compared& a, const Compared& b) {
    const double x = summarise(a.scores).mean, y = summarise(b.scores).mean;
    if (std::isnan(x) || std::isnan(y)) return !std::isnan(x) && std::isnan(y);
    return result.better == Better::higher ? x > y : x < y;
  });
  for (std::size_t i = 1; i < result.ranked.size(); ++i) hold_to_best(result.ranked.front(), result.ranked[i]);
  return result;
}

}  // namespace accrete::tune
