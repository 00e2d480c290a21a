#pragma once
// Where the bins of a numeric column lie, and what standardises their features.

#include <cstddef>
#include <span>

#include "accrete/data/input.hpp"

namespace accrete::data {

/// Fills the input's knots with the distinct quantiles at 0, 1/bins, 2/bins, ... 1 of the numbers in the rows: each the
/// smallest number that, with those below it, has that share of the weight. Bin j's feature rises from 0 at knot j to 1
/// at knot j + 1; its mean and deviation are weighted too. An input that this leaves with fewer than three knots, or
/// with a bin too wide for float, gets none. Neither the order of the rows nor a row repeated instead of weighted
/// changes anything.
void fit_bins(Input& input, std::span<const float> values, const WeightedRows& from, std::size_t bins);

}  // namespace accrete::data
