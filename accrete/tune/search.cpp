#include "accrete/tune/search.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "accrete/boosting/prepare.hpp"
#include "accrete/core/error.hpp"
#include "accrete/tune/runs.hpp"
#include "accrete/tune/scores.hpp"
#include "accrete/tune/stable_hash.hpp"

namespace accrete::tune {
namespace {

/// The rows that one choice is made on, cut into folds once per repeat.
struct Part {
  std::int64_t repeat = 0;
  std::int64_t outer_fold = no_fold;
  std::vector<std::vector<data::Split>> repeats;
};

class Searching {
 public:
  Searching(const Problem& problem, const Method& method, const SearchOptions& options, core::Workers& workers)
      : problem_(problem),
        method_(method),
        options_(options),
        metric_(ranking_metric(options.metric, problem.target.task)),
        points_(options.grid.points()),
        data_(fingerprint(problem)) {
    for (const Settings& point : points_) texts_.push_back(method.text(point, options.grid.units.back()));
    cut();
    std::size_t planned = outer_.size();
    for (const Part& part : parts_) planned += fits_in(part);
    runs_.emplace(problem, RunOptions{options.grid.units, options.records, planned, options.done, options.stop},
                  workers);
  }

  SearchResult run() {
    SearchResult result;
    result.metric = metric_.name();
    result.better = metric_.higher_is_better() ? Better::higher : Better::lower;
    std::vector<PlannedFit> fits;
    for (const Part& part : parts_) plan(part, fits);
    const auto records = run_all(fits, result);
    if (result.stopped) return result;
    auto record = records.begin();
    for (const Part& part : parts_) {
      const auto count = static_cast<std::ptrdiff_t>(fits_in(part));
      auto tried = judge({record, record + count});
      record += count;
      if (part.outer_fold == no_fold)
        result.tried = require_score(std::move(tried));
      else
        result.outer.push_back({static_cast<std::size_t>(part.repeat),
                                static_cast<std::size_t>(part.outer_fold),
                                std::move(tried.front()),
                                {}});
    }
    score_outer(result);
    return result;
  }

 private:
  /// The part of all rows, where it is wanted, then one per outer fold.
  void cut() {
    const auto rows = boosting::all_rows(problem_.table.rows());
    if (!options_.cuts.empty()) {
      parts_.emplace_back().repeats.push_back(options_.cuts);
    } else if (options_.whole) {
      Part& all = parts_.emplace_back();
      for (std::size_t r = 0; r < options_.repeats; ++r)
        all.repeats.push_back(
            draw_folds(problem_, rows, {options_.folds, options_.seed, r, needs_every_class(metric_)}));
    }
    first_outer_ = parts_.size();
    if (!options_.partitions.empty()) cut_inside(0, options_.partitions);
    for (std::size_t r = 0; r < options_.repeats && options_.outer > 0; ++r)
      cut_inside(r, draw_folds(problem_, rows, {options_.outer, options_.seed, r, needs_every_class(metric_)}));
  }

  /// Each training part into folds of its own, unless there is nothing to choose.
  void cut_inside(std::size_t repeat, std::vector<data::Split> splits) {
    const bool choosing = points_.size() * options_.grid.units.size() > 1;
    for (std::size_t f = 0; f < splits.size(); ++f) {
      Part& part = parts_.emplace_back();
      part.repeat = static_cast<std::int64_t>(repeat);
      part.outer_fold = static_cast<std::int64_t>(f);
      const std::uint64_t seed = StableHash().add(options_.seed).add(repeat).add(f).value();
      if (choosing)
        part.repeats.push_back(
            draw_folds(problem_, splits[f].train, {options_.folds, seed, 0, needs_every_class(metric_)}));
      outer_.push_back(std::move(splits[f]));
    }
  }

  std::size_t fits_in(const Part& part) const {
    std::size_t folds = 0;
    for (const auto& splits : part.repeats) folds += splits.size();
    return folds * points_.size();
  }

  std::string cuts_text() const {
    StableHash hash;
    for (const data::Split& split : options_.cuts)
      for (const auto* rows : {&split.train, &split.test}) {
        hash.add(rows->size());
        for (const std::size_t row : *rows) hash.add(row);
      }
    return fmt::format("cuts={} {:x} seed={}", options_.cuts.size(), hash.value(), options_.seed);
  }

  /// How the rows were cut and what is scored, so that records of another search are not taken for these.
  std::string study(const Part& part) const {
    const std::string how =
        options_.cuts.empty() ? fmt::format("folds={} seed={}", options_.folds, options_.seed) : cuts_text();
    std::string text = fmt::format("{} units={}", how, fmt::join(options_.grid.units, ","));
    if (part.outer_fold == no_fold) return text;
    if (options_.partitions.empty()) return fmt::format("outer={} {}", options_.outer, text);
    return fmt::format("partitions={} of {} {}", options_.partitions.size(), options_.partitions.front().train.size(),
                       text);
  }

  PlannedFit planned(const Part& part, std::size_t point, const data::Split& split) const {
    return {&method_, &split, points_[point], {study(part), data_, texts_[point], part.repeat, part.outer_fold}};
  }

  /// Fold by fold, all settings of one after the other, so that the time of the rest can be told from the time so far.
  void plan(const Part& part, std::vector<PlannedFit>& fits) const {
    for (std::size_t r = 0; r < part.repeats.size(); ++r)
      for (std::size_t f = 0; f < part.repeats[r].size(); ++f)
        for (std::size_t p = 0; p < points_.size(); ++p) {
          PlannedFit fit = planned(part, p, part.repeats[r][f]);
          fit.key.repeat += static_cast<std::int64_t>(r);
          fit.key.inner_fold = static_cast<std::int64_t>(f);
          fit.key.seed = seed_of(options_.seed, fit.key, method_.name());
          fits.push_back(std::move(fit));
        }
  }

  double score(const PrefixScores& prefix) const {
    for (const auto& [name, value] : prefix.metrics)
      if (name == metric_.name()) return value;
    return std::numeric_limits<double>::quiet_NaN();
  }

  /// Records of all settings, fold by fold, into settings with their means, best first.
  std::vector<Tried> judge(std::span<const FitRecord> records) const {
    std::vector<Tried> tried;
    for (std::size_t p = 0; p < points_.size(); ++p)
      for (std::size_t u = 0; u < options_.grid.units.size(); ++u) {
        std::vector<double> scores;
        for (std::size_t i = p; i < records.size(); i += points_.size())
          scores.push_back(score(records[i].prefixes[u]));
        const Summary summary = summarise(scores);
        tried.push_back({points_[p], options_.grid.units[u], summary, std::move(scores)});
      }
    const auto key = [&](const Tried& t) {
      const double cost = metric_.higher_is_better() ? -t.score.mean : t.score.mean;
      return std::pair(std::isnan(cost) ? std::numeric_limits<double>::infinity() : cost, t.units);
    };
    std::ranges::stable_sort(tried, {}, key);
    return tried;
  }

  std::vector<Tried> require_score(std::vector<Tried> tried) const {
    if (std::isnan(tried.front().score.mean))
      throw core::DataError(
          fmt::format("{}: no setting has a score: every one of them failed in some fold", problem_.table.source));
    return tried;
  }

  /// What was chosen inside each outer fold, fitted to its training part and scored on the fold itself.
  void score_outer(SearchResult& result) {
    std::vector<PlannedFit> fits;
    for (std::size_t i = 0; i < result.outer.size(); ++i) {
      const auto point = std::ranges::find(points_, result.outer[i].chosen.settings) - points_.begin();
      PlannedFit fit = planned(parts_[first_outer_ + i], static_cast<std::size_t>(point), outer_[i]);
      fit.key.seed = seed_of(options_.seed, fit.key, method_.name());
      fits.push_back(std::move(fit));
    }
    const auto records = run_all(fits, result);
    for (std::size_t i = 0; i < records.size(); ++i)
      for (const PrefixScores& prefix : records[i].prefixes)
        if (prefix.units == result.outer[i].chosen.units) result.outer[i].metrics = prefix.metrics;
  }

  std::vector<FitRecord> run_all(std::span<const PlannedFit> fits, SearchResult& result) {
    auto records = runs_->run(fits);
    result.fits = runs_->done();
    result.found = runs_->found();
    result.planned = runs_->planned();
    result.stopped = records.size() < fits.size();
    return records;
  }

  const Problem& problem_;
  const Method& method_;
  const SearchOptions& options_;
  metric::Metric metric_;
  std::vector<Settings> points_;
  std::vector<std::string> texts_;  ///< of the points
  std::uint64_t data_;
  std::vector<Part> parts_;
  std::size_t first_outer_ = 0;     ///< among the parts
  std::vector<data::Split> outer_;  ///< of those parts
  std::optional<Runs> runs_;
};

void check_cuts(const Problem& problem, const SearchOptions& options) {
  if (!options.cuts.empty() && (options.repeats > 1 || options.outer > 0 || !options.partitions.empty()))
    throw core::UsageError("a search over given cuts is neither repeated nor nested");
  const std::size_t count = problem.table.rows();
  for (std::size_t c = 0; c < options.cuts.size(); ++c)
    for (const auto* rows : {&options.cuts[c].train, &options.cuts[c].test}) {
      if (rows->empty()) throw core::UsageError(fmt::format("cut {} has no rows to fit, or none to score", c));
      if (const auto last = std::ranges::max(*rows); last >= count)
        throw core::UsageError(fmt::format("cut {} names row {} of {}, counted from 0", c, last, count));
    }
}

}  // namespace

std::vector<const Tried*> SearchResult::within_one_se() const {
  std::vector<const Tried*> near;
  for (const Tried& t : tried)
    if (std::abs(t.score.mean - best().score.mean) <= best().score.se) near.push_back(&t);
  return near;
}

Summary SearchResult::outer_score(const std::string& name) const {
  std::vector<double> values;
  for (const OuterFold& fold : outer)
    for (const auto& [metric_name, value] : fold.metrics)
      if (metric_name == name) values.push_back(value);
  return summarise(values);
}

SearchResult search(const Problem& problem, const Method& method, const SearchOptions& options,
                    core::Workers& workers) {
  if (options.grid.units.empty()) throw core::UsageError("a search needs a number of units");
  if (options.repeats == 0) throw core::UsageError("--repeats 0: must be at least 1");
  check_cuts(problem, options);
  return Searching(problem, method, options, workers).run();
}

}  // namespace accrete::tune
