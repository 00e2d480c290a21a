#pragma once
// Tail probabilities for the tests of this module, accurate to about 12 digits unless smaller than 1e-12.

#include <cstddef>

namespace accrete::tune {

/// P(Z <= z) of a standard normal.
double normal_below(double z);

/// P(X > x) of a chi-square variable.
double chi_square_above(double x, double degrees);

/// P(X > x) of an F variable.
double f_above(double x, double degrees, double other_degrees);

/// P(largest - smallest <= x) of n independent standard normals: the studentised range with infinite degrees of
/// freedom.
double range_below(double x, std::size_t normals);

/// The x that the range exceeds with this probability. Throws UsageError unless there are at least 2 normals and 0 <
/// level < 1.
double range_quantile(double level, std::size_t normals);

}  // namespace accrete::tune
