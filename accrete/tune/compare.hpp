#pragma once
// Several methods on the same folds of one table. Differences are taken fold by fold, so that what is hard about a fold
// is hard for all of them and cancels out.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "accrete/core/parallel.hpp"
#include "accrete/tune/method.hpp"
#include "accrete/tune/ranks.hpp"
#include "accrete/tune/summary.hpp"

namespace accrete::tune {

struct CompareOptions {
  std::size_t folds = 10;
  std::size_t repeats = 1;
  std::string metric;  ///< to rank by; empty: the primary one of the task
  std::uint64_t seed = 0;
  Records* records = nullptr;
  std::function<void(std::size_t, std::size_t)> done = {};  ///< fits done, of how many
  std::function<bool()> stop = {};
};

/// What one method was worth.
struct Compared {
  std::size_t method = 0;  ///< place in the list that was given
  std::vector<std::pair<std::string, Summary>> metrics;
  std::vector<double> scores;         ///< by the metric that ranks, repeat after repeat, fold after fold
  Summary difference;                 ///< score minus the best one's, fold by fold; nothing for the best one itself
  double wilcoxon = 1.0;              ///< p of that difference by the signed-rank test, both sides
  double units = 0.0, seconds = 0.0;  ///< means over the folds
};

struct CompareResult {
  std::string metric;
  Better better = Better::lower;
  std::vector<Compared> ranked;  ///< best mean first; those without a score last
  std::size_t fits = 0, planned = 0, found = 0;
  bool stopped = false;  ///< then nothing but the counts is there
};

/// Throws UsageError for a metric that is not of the task; else as fits, folds and records do.
CompareResult compare(const Problem& problem, const std::vector<const Method*>& methods, const CompareOptions& options,
                      core::Workers& workers);

}  // namespace accrete::tune
