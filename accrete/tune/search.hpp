#pragma once
// Grid search: cross-validates every setting on the same folds and chooses the one with the best mean.
//
// A nested search repeats this within the training rows of each outer fold, fits the chosen setting on those rows and
// scores the outer fold, which had no part in the choice. The mean of those scores estimates the chosen network; the
// mean that a setting was chosen by is optimistic.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "accrete/comm/communicator.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/tune/grid.hpp"
#include "accrete/tune/method.hpp"
#include "accrete/tune/summary.hpp"

namespace accrete::tune {

struct SearchOptions {
  Grid grid;  ///< units must not be empty
  std::size_t folds = 10;
  std::size_t repeats = 1;  ///< times to redraw all folds, including the outer ones
  std::size_t outer = 0;    ///< outer folds of a nested search; 0: not nested
  std::string metric;       ///< empty: the task's primary metric
  std::uint64_t seed = 0;
  Records* records = nullptr;
  std::function<void(std::size_t, std::size_t)> done = {};  ///< finished fits, planned fits
  std::function<bool()> stop = {};
  /// Splits used instead of outer folds.
  std::vector<data::Split> partitions = {};
  bool whole = true;  ///< also choose on all rows; false: nested search only
  /// Splits used instead of drawn folds; the search is then neither repeated nor nested.
  std::vector<data::Split> cuts = {};
  comm::Communicator* comm = nullptr;  ///< ranks that share the fits; see tune/runs.hpp
};

/// One setting with its scores.
struct SearchTrial {
  Settings settings;  ///< of the grid
  std::size_t units = 0;
  Summary score;                    ///< over all folds; the mean is NaN if a fit failed
  std::vector<double> scores = {};  ///< per fold
};

/// An outer fold of a nested search.
struct OuterFold {
  std::size_t repeat = 0, fold = 0;
  SearchTrial chosen;  ///< on the inner folds; has no score if there is a single setting
  std::vector<std::pair<std::string, double>> metrics;
};

struct SearchResult {
  std::string metric;
  Better better = Better::lower;
  std::vector<SearchTrial> tried;  ///< on all rows, best first; ties: fewer units first
  std::vector<OuterFold> outer;
  std::size_t fits = 0, planned = 0;  ///< finished, planned
  std::size_t found = 0;              ///< finished fits that came from the records
  bool stopped = false;               ///< only the counts are valid

  const SearchTrial& best() const { return tried.front(); }
  /// The trials within one standard error of the best, including the best.
  std::vector<const SearchTrial*> within_one_se() const;
  /// Over the outer folds.
  Summary outer_score(const std::string& name) const;
};

/// Throws UsageError for a metric that is not of the task, DataError when no setting has a score on all rows (inside an
/// outer fold it is NaN that says so); else as fits, folds and records do.
SearchResult search(const Problem& problem, const Method& method, const SearchOptions& options, core::Workers& workers);

/// A part of the fits of a search: every `parts`-th fit, starting at `index`.
struct SearchPart {
  std::size_t index = 0, parts = 1;
};

/// Runs the fits of a part and keeps them in options.records, where a search with the same options finds them. The fits
/// that score outer folds are in no part, since they depend on all others. Returns false if stopped. Throws as search()
/// does.
bool run_part(const Problem& problem, const Method& method, const SearchOptions& options, core::Workers& workers,
              SearchPart part);

}  // namespace accrete::tune
