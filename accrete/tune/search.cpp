#include "accrete/tune/search.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "accrete/boosting/split.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/tune/runs.hpp"
#include "accrete/tune/scores.hpp"
#include "accrete/tune/stable_hash.hpp"

namespace accrete::tune {
namespace {

/// The rows on which one choice of settings is made, split into folds once per repeat.
struct RowSubset {
  std::int64_t repeat = 0;
  std::int64_t outer_fold = no_fold;
  std::vector<std::vector<data::Split>> repeats;
};

class GridSearch {
 public:
  GridSearch(const Problem& problem, const Method& method, const SearchOptions& options, core::Workers& workers)
      : problem_(problem),
        method_(method),
        options_(options),
        metric_(ranking_metric(options.metric, problem.target.task)),
        points_(options.grid.points()),
        data_(fingerprint(problem)) {
    for (const Settings& point : points_) texts_.push_back(method.text(point, options.grid.units.back()));
    make_splits();
    std::size_t planned = outer_.size();
    for (const RowSubset& part : parts_) planned += fits_in(part);
    runs_.emplace(problem,
                  RunOptions{.units = options.grid.units,
                             .records = options.records,
                             .planned = planned,
                             .done = options.done,
                             .stop = options.stop,
                             .metric = metric_.name(),
                             .comm = options.comm},
                  workers);
  }

  bool run_part(SearchPart part) {
    const std::vector<PlannedFit> all = plan_all();
    std::vector<PlannedFit> fits;
    for (std::size_t i = part.index; i < all.size(); i += part.parts) fits.push_back(all[i]);
    return runs_->run(fits).size() == fits.size();
  }

  SearchResult run() {
    SearchResult result;
    result.metric = metric_.name();
    result.better = metric_.higher_is_better() ? Better::higher : Better::lower;
    const auto records = run_all(plan_all(), result);
    if (result.stopped) return result;
    auto record = records.begin();
    for (const RowSubset& part : parts_) {
      const auto count = static_cast<std::ptrdiff_t>(fits_in(part));
      auto tried = rank_trials({record, record + count});
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
  /// All rows, if requested, then the training rows of each outer fold.
  void make_splits() {
    const auto rows = boosting::all_rows(problem_.table.rows());
    if (!options_.splits.empty()) {
      parts_.emplace_back().repeats.push_back(options_.splits);
    } else if (options_.whole) {
      RowSubset& all = parts_.emplace_back();
      for (std::size_t r = 0; r < options_.repeats; ++r)
        all.repeats.push_back(
            draw_folds(problem_, rows, {options_.folds, options_.seed, r, needs_every_class(metric_)}));
    }
    first_outer_ = parts_.size();
    if (!options_.outer_splits.empty()) split_inside(0, options_.outer_splits);
    for (std::size_t r = 0; r < options_.repeats && options_.outer > 0; ++r)
      split_inside(r, draw_folds(problem_, rows, {options_.outer, options_.seed, r, needs_every_class(metric_)}));
  }

  /// Splits the training rows of each outer fold into inner folds, unless there is a single candidate.
  void split_inside(std::size_t repeat, std::vector<data::Split> splits) {
    const bool choosing = points_.size() * options_.grid.units.size() > 1;
    for (std::size_t f = 0; f < splits.size(); ++f) {
      RowSubset& part = parts_.emplace_back();
      part.repeat = static_cast<std::int64_t>(repeat);
      part.outer_fold = static_cast<std::int64_t>(f);
      const std::uint64_t seed = StableHash().add(options_.seed).add(repeat).add(f).value();
      if (choosing)
        part.repeats.push_back(
            draw_folds(problem_, splits[f].train, {options_.folds, seed, 0, needs_every_class(metric_)}));
      outer_.push_back(std::move(splits[f]));
    }
  }

  std::size_t fits_in(const RowSubset& part) const {
    std::size_t folds = 0;
    for (const auto& splits : part.repeats) folds += splits.size();
    return folds * points_.size();
  }

  std::string splits_text() const {
    StableHash hash;
    for (const data::Split& split : options_.splits)
      for (const auto* rows : {&split.train, &split.test}) {
        hash.add(rows->size());
        for (const std::size_t row : *rows) hash.add(row);
      }
    return fmt::format("cuts={} {:x} seed={}", options_.splits.size(), hash.value(), options_.seed);
  }

  /// Identifies splits and scored units, so that records of a different search are not reused.
  std::string study(const RowSubset& part) const {
    const std::string how =
        options_.splits.empty() ? fmt::format("folds={} seed={}", options_.folds, options_.seed) : splits_text();
    std::string text = fmt::format("{} units={}", how, fmt::join(options_.grid.units, ","));
    if (part.outer_fold == no_fold) return text;
    if (options_.outer_splits.empty()) return fmt::format("outer={} {}", options_.outer, text);
    return fmt::format("partitions={} of {} {}", options_.outer_splits.size(),
                       options_.outer_splits.front().train.size(), text);
  }

  PlannedFit planned(const RowSubset& part, std::size_t point, const data::Split& split) const {
    return {&method_, &split, points_[point], {study(part), data_, texts_[point], part.repeat, part.outer_fold}};
  }

  std::vector<PlannedFit> plan_all() const {
    std::vector<PlannedFit> fits;
    for (const RowSubset& part : parts_) plan(part, fits);
    return fits;
  }

  /// Orders fits by fold with all settings inside, so that the first folds allow an estimate of the remaining time.
  void plan(const RowSubset& part, std::vector<PlannedFit>& fits) const {
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

  /// Converts records, ordered by fold, to settings with their mean scores, best first.
  std::vector<SearchTrial> rank_trials(std::span<const FitRecord> records) const {
    std::vector<SearchTrial> tried;
    for (std::size_t p = 0; p < points_.size(); ++p)
      for (std::size_t u = 0; u < options_.grid.units.size(); ++u) {
        std::vector<double> scores;
        for (std::size_t i = p; i < records.size(); i += points_.size())
          scores.push_back(score(records[i].prefixes[u]));
        const Summary summary = summarise(scores);
        tried.push_back({points_[p], options_.grid.units[u], summary, std::move(scores)});
      }
    const auto key = [&](const SearchTrial& t) {
      const double cost = metric_.higher_is_better() ? -t.score.mean : t.score.mean;
      return std::pair(std::isnan(cost) ? std::numeric_limits<double>::infinity() : cost, t.units);
    };
    std::ranges::stable_sort(tried, {}, key);
    return tried;
  }

  std::vector<SearchTrial> require_score(std::vector<SearchTrial> tried) const {
    if (std::isnan(tried.front().score.mean))
      throw core::DataError(
          fmt::format("{}: no setting has a score: in some fold, each diverged or has no value of the metric; try "
                      "lower learning rates",
                      problem_.table.source));
    return tried;
  }

  /// Fits each outer fold's chosen settings on its training rows and scores its test rows.
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
  std::vector<std::string> texts_;  ///< one per point
  std::uint64_t data_;
  std::vector<RowSubset> parts_;
  std::size_t first_outer_ = 0;     ///< index into parts_
  std::vector<data::Split> outer_;  ///< one per outer part
  std::optional<Runs> runs_;
};

void check_splits(const Problem& problem, const SearchOptions& options) {
  if (!options.splits.empty() && (options.repeats > 1 || options.outer > 0 || !options.outer_splits.empty()))
    throw core::UsageError("splits: cannot be used with repeats, outer folds or outer splits");
  const std::size_t count = problem.table.rows();
  for (std::size_t c = 0; c < options.splits.size(); ++c)
    for (const auto* rows : {&options.splits[c].train, &options.splits[c].test}) {
      if (rows->empty())
        throw core::UsageError(
            fmt::format("split {}: there are no {} rows", c, rows == &options.splits[c].train ? "training" : "test"));
      if (const auto last = std::ranges::max(*rows); last >= count)
        throw core::UsageError(
            fmt::format("split {}: there is no row {} (counting from 0); the data have {} rows", c, last, count));
    }
}

void check(const Problem& problem, const SearchOptions& options) {
  if (options.grid.units.empty()) throw core::UsageError("the grid needs at least one number of units");
  if (options.repeats == 0) throw core::UsageError(core::parameter("repeats", 0), "must be at least 1");
  check_splits(problem, options);
}

}  // namespace

std::vector<const SearchTrial*> SearchResult::within_one_se() const {
  std::vector<const SearchTrial*> near;
  for (const SearchTrial& t : tried)
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
  check(problem, options);
  return GridSearch(problem, method, options, workers).run();
}

bool run_part(const Problem& problem, const Method& method, const SearchOptions& options, core::Workers& workers,
              SearchPart part) {
  check(problem, options);
  if (part.index >= part.parts)
    throw core::UsageError(fmt::format("part {} of {}: parts are counted from 0", part.index, part.parts));
  return GridSearch(problem, method, options, workers).run_part(part);
}

}  // namespace accrete::tune
