#pragma once
// Compares methods on the same folds of one table. Differences are taken per fold, which cancels the difficulty of a
// fold.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "accrete/core/parallel.hpp"
#include "accrete/tune/method.hpp"
#include "accrete/tune/statistics/ranks.hpp"
#include "accrete/tune/summary.hpp"

namespace accrete::tune {

struct CompareOptions {
  std::size_t folds = 10;
  std::size_t repeats = 1;
  std::string metric;  ///< to rank by; empty: the task's primary metric
  std::uint64_t seed = 0;
  Records* records = nullptr;
  std::function<void(std::size_t, std::size_t)> done = {};  ///< finished fits, planned fits
  std::function<bool()> stop = {};
};

/// The scores of one method.
struct Compared {
  std::size_t method = 0;  ///< index into the given list
  std::vector<std::pair<std::string, Summary>> metrics;
  std::vector<double> scores;         ///< of the ranking metric, ordered by repeat, then fold
  Summary difference;                 ///< score minus the best method's, per fold; empty for the best method
  double wilcoxon = 1.0;              ///< two-sided p of the difference, signed-rank test
  double units = 0.0, seconds = 0.0;  ///< means over the folds
};

struct CompareResult {
  std::string metric;
  Better better = Better::lower;
  std::vector<Compared> ranked;  ///< best mean first; those without a score last
  std::size_t fits = 0, planned = 0, found = 0;
  bool stopped = false;  ///< if true, only the counts are valid
};

/// Throws UsageError for a metric that does not fit the task; otherwise as fits, folds and records do.
CompareResult compare(const Problem& problem, const std::vector<const Method*>& methods, const CompareOptions& options,
                      core::Workers& workers);

}  // namespace accrete::tune
