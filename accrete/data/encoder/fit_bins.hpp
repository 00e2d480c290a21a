#pragma once
// Fits the bins of a numeric column: the boundaries, and mean and scale of each ramp.

#include <cstddef>
#include <span>

#include "accrete/data/input.hpp"

namespace accrete::data {

/// Sets the input's knots. For fewer than 16 bins or without targets, they are the distinct weighted quantiles 0,
/// 1/bins, 2/bins, ..., 1 of the numbers in the rows; quantile q is the smallest number whose cumulative share of the
/// weight is at least q. Otherwise half of them divide the weight about equally, and the other half are where the
/// target changes (target_knots.hpp). The ramp of bin j rises from 0 at knot j to 1 at knot j + 1; its mean and
/// deviation are weighted too. An input with fewer than three knots, or with a bin too wide for float, gets no bins.
/// The result does not depend on row order, and a row repeated k times counts as a row of weight k.
void fit_bins(Input& input, std::span<const float> values, const WeightedRows& from, std::size_t bins);

}  // namespace accrete::data
