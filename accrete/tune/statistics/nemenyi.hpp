#pragma once
// Nemenyi's critical distance: methods differ if their average ranks are at least this far apart.

#include <cstddef>

namespace accrete::tune {

/// q of Demšar's table 5a: the quantile of the studentised range with infinitely many degrees of freedom, divided by
/// the root of 2. Computed, so for any number of methods and any level. Throws UsageError for fewer than 2 methods or a
/// level not between 0 and 1.
double nemenyi_q(std::size_t methods, double level);

/// Throws UsageError without a data set, and as nemenyi_q does.
double critical_distance(std::size_t methods, std::size_t data_sets, double level);

}  // namespace accrete::tune
