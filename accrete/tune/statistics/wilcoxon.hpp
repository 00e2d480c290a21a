#pragma once
// Wilcoxon's signed-rank test that two methods do equally well over several data sets.

#include <cstddef>
#include <span>

namespace accrete::tune {

struct Wilcoxon {
  double plus = 0.0;   ///< sum of the ranks of positive differences
  double minus = 0.0;  ///< and of negative ones; a difference of 0 gives half its rank to each, as in Demšar (2006)
  double p = 1.0;      ///< two-sided
  bool exact = false;  ///< p counts every choice of signs; else it is from the normal distribution
};

/// differences: one per data set. p is exact for at most 50 of them, none 0 and no two of one size; else the normal
/// approximation without continuity correction, its variance that of the ranks as they are, ties among them.
/// Throws DataError for none, or one that is not a number.
Wilcoxon wilcoxon(std::span<const double> differences);

}  // namespace accrete::tune
