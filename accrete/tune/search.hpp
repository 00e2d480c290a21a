#pragma once
// Grid search: every setting is cross-validated on the same folds, and the one with the best mean is chosen.
//
// Nested, the whole search is done once more within the training part of each outer fold, and what it chooses there is
// fitted to that part and scored on the outer fold: rows that had no say in the choice. The mean of those scores is
// what to expect of the chosen network; the mean that a setting was chosen by is too good to be true.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "accrete/core/parallel.hpp"
#include "accrete/tune/grid.hpp"
#include "accrete/tune/method.hpp"
#include "accrete/tune/summary.hpp"

namespace accrete::tune {

struct SearchOptions {
  Grid grid;  ///< its units are not empty
  std::size_t folds = 10;
  std::size_t repeats = 1;  ///< times to draw the folds anew, the outer ones as well
  std::size_t outer = 0;    ///< outer folds of a nested search; 0: not nested
  std::string metric;       ///< empty: the primary one of the task
  std::uint64_t seed = 0;
  Records* records = nullptr;
  std::function<void(std::size_t, std::size_t)> done = {};  ///< fits done, of how many
  std::function<bool()> stop = {};
  /// Rows to choose on and rows to score the choice on, in place of outer folds.
  std::vector<data::Split> partitions = {};
  bool whole = true;  ///< also chooses on all rows; else the nested part is all there is
  /// Rows to fit and rows to score, in place of folds that are drawn; then it is neither repeated nor nested.
  std::vector<data::Split> cuts = {};
};

/// One setting and what it was worth.
struct Tried {
  Settings settings;  ///< of the grid
  std::size_t units = 0;
  Summary score;                    ///< over all folds; the mean is NaN when a fit of it has no score
  std::vector<double> scores = {};  ///< fold by fold
};

/// An outer fold of a nested search.
struct OuterFold {
  std::size_t repeat = 0, fold = 0;
  Tried chosen;  ///< inside, by the inner folds; without a score where there was one setting and nothing to choose
  std::vector<std::pair<std::string, double>> metrics;
};

struct SearchResult {
  std::string metric;
  Better better = Better::lower;
  std::vector<Tried> tried;  ///< on all rows; best first, of equals the one with fewer units, then the first
  std::vector<OuterFold> outer;
  std::size_t fits = 0, planned = 0;  ///< done, of how many
  std::size_t found = 0;              ///< of those done: among the records
  bool stopped = false;               ///< then nothing but the counts is there

  const Tried& best() const { return tried.front(); }
  /// Those whose mean is no further from the best one than its standard error, the best one included.
  std::vector<const Tried*> within_one_se() const;
  /// Over the outer folds.
  Summary outer_score(const std::string& name) const;
};

/// Throws UsageError for a metric that is not of the task, DataError when no setting has a score on all rows (inside an
/// outer fold it is NaN that says so); else as fits, folds and records do.
SearchResult search(const Problem& problem, const Method& method, const SearchOptions& options, core::Workers& workers);

}  // namespace accrete::tune
