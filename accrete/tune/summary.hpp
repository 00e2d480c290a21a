#pragma once
// Scores summarised by mean and spread, and a tally of such differences over data sets.

#include <cstddef>
#include <span>

#include "accrete/tune/statistics/ranks.hpp"

namespace accrete::tune {

/// sd is the sample standard deviation (n - 1), se = sd / sqrt(n). Folds of one repeat share training rows, so se over
/// folds is customary but not exact.
struct Summary {
  double mean = 0.0, sd = 0.0, se = 0.0;
  bool operator==(const Summary&) const = default;
};

/// The mean of no values is NaN.
Summary summarise(std::span<const double> values);

struct Tally {
  std::size_t wins = 0, ties = 0, losses = 0;
  bool operator==(const Tally&) const = default;
};

/// differences: one method's scores minus another's on the same folds, one summary per data set. A difference of more
/// than this many standard errors counts as a win or a loss, any other as a tie.
Tally tally(std::span<const Summary> differences, double standard_errors, Better better);

}  // namespace accrete::tune
