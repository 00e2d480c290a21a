#pragma once
// Nemenyi's critical distance: methods differ if their average ranks differ by at least this much.

#include <cstddef>

namespace accrete::tune {

/// q of Demšar's table 5a: the quantile of the studentised range with infinite degrees of freedom, divided by sqrt(2).
/// Computed rather than tabulated, for any number of methods and any level. Throws UsageError for fewer than 2 methods
/// or a level that is not between 0 and 1.
double nemenyi_q(std::size_t methods, double level);

/// Throws UsageError if there are no data sets, and as nemenyi_q does.
double critical_distance(std::size_t methods, std::size_t data_sets, double level);

}  // namespace accrete::tune
