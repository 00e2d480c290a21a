#pragma once
// Wilcoxon's signed-rank test of the hypothesis that two methods do equally well over several data sets.

#include <cstddef>
#include <span>

namespace accrete::tune {

struct Wilcoxon {
  double plus = 0.0;   ///< sum of the ranks of positive differences
  double minus = 0.0;  ///< sum for negative differences; a difference of 0 adds half its rank to both (Demšar, 2006)
  double p = 1.0;      ///< two-sided
  bool exact = false;  ///< p counts all sign combinations; otherwise it uses the normal distribution
};

/// differences: one per data set. p is exact for at most 50 of them, without zeros or ties; otherwise it uses the
/// normal approximation without continuity correction, with a variance that accounts for ties. Throws DataError if
/// there are no differences or one is NaN.
Wilcoxon wilcoxon(std::span<const double> differences);

}  // namespace accrete::tune
