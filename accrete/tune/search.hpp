#pragma once
// Grid search: cross-validates every setting on the same folds and chooses the one with the best mean.
//
// A nested search repeats this within the training rows of each outer fold, fits the chosen setting on those rows and
// scores the outer fold, which the choice did not use. The mean of those scores is an estimate for the chosen network;
// the mean by which a setting was chosen is optimistic.

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
  /// Splits to use instead of outer folds.
  std::vector<data::Split> outer_splits = {};
  bool whole = true;  ///< also choose on all rows; false: only the nested search
  /// Splits to use instead of drawn folds; the search is then neither repeated nor nested.
  std::vector<data::Split> splits = {};
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
  SearchTrial chosen;  ///< chosen on the inner folds; has no score if there is only one setting
  std::vector<std::pair<std::string, double>> metrics;
};

struct SearchResult {
  std::string metric;
  Better better = Better::lower;
  std::vector<SearchTrial> tried;  ///< on all rows, best first; ties: fewer units first
  std::vector<OuterFold> outer;
  std::size_t fits = 0, planned = 0;  ///< finished, planned
  std::size_t found = 0;              ///< finished fits that came from the records
  bool stopped = false;               ///< if true, only the counts are valid

  const SearchTrial& best() const { return tried.front(); }
  /// The trials within one standard error of the best, including the best.
  std::vector<const SearchTrial*> within_one_se() const;
  /// Over the outer folds.
  Summary outer_score(const std::string& name) const;
};

/// Throws UsageError for a metric that does not fit the task, DataError if no setting has a score on all rows (inside
/// an outer fold, the score is NaN instead); otherwise as fits, folds and records do.
SearchResult search(const Problem& problem, const Method& method, const SearchOptions& options, core::Workers& workers);

/// A part of a search's fits: every `parts`-th fit, starting at `index`.
struct SearchPart {
  std::size_t index = 0, parts = 1;
};

/// Runs the fits of a part and keeps them in options.records, where a search with the same options finds them. Fits
/// that score outer folds depend on all others, so no part includes them. Returns false if stopped. Throws as search()
/// does.
bool run_part(const Problem& problem, const Method& method, const SearchOptions& options, core::Workers& workers,
              SearchPart part);

}  // namespace accrete::tune
