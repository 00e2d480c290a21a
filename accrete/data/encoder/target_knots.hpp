#pragma once
// Bin boundaries where the target changes: the splits of a small regression tree on a single column.

#include <cstddef>
#include <span>
#include <vector>

#include "accrete/data/input.hpp"

namespace accrete::data {

/// Returns the splits, at most max_splits, that explain most of the targets, each as the two neighbouring distinct
/// numbers that it separates. candidates: possible split positions, ascending distinct numbers of the column. A leaf
/// has at least the weight of ten average rows. numbers: all distinct numbers of the column, ascending.
std::vector<float> target_knots(std::span<const float> values, const WeightedRows& from, std::span<const float> numbers,
                                std::span<const float> candidates, std::size_t max_splits);

}  // namespace accrete::data
