#pragma once
// Tail probabilities for the statistical tests in this folder, accurate to about 12 digits unless smaller than 1e-12.

#include <cstddef>

namespace accrete::tune {

/// The cumulative distribution function of a standard normal: P(Z <= z).
double normal_cdf(double z);

/// P(X > x) of a chi-square variable with this many degrees of freedom.
double chi_square_sf(double x, double degrees);

/// P(X > x) of an F variable with these degrees of freedom.
double f_sf(double x, double degrees, double other_degrees);

/// P(largest - smallest <= x) of n independent standard normals: the studentised range with infinite degrees of
/// freedom.
double range_cdf(double x, std::size_t normals);

/// The x that the range exceeds with this probability. Throws UsageError unless there are at least 2 normals and 0 <
/// level < 1.
double range_quantile(double level, std::size_t normals);

}  // namespace accrete::tune
