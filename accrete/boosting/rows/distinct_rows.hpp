#pragma once
// Makes a small fit a function of the weighted set of its rows: the result is bit-identical for any row order, and for
// a row repeated k times instead of a row of weight k.

#include <cstddef>
#include <span>
#include <vector>

#include "accrete/core/matrix.hpp"
#include "accrete/data/table.hpp"

namespace accrete::boosting {

/// More rows are not sorted: their order affects only rounding, and a table's memory can be released while encoding
/// only if the rows ascend.
inline constexpr std::size_t max_sorted_rows = 16384;

/// Rows are equal if their values in these columns and their targets are.
struct RowValues {
  const data::Table& table;
  std::span<const std::size_t> columns;
  const core::Matrix<double>& targets;  ///< one row per row of the table
};

/// Sorts the listed rows by columns, then by targets: numbers ascend (-0 equals 0), text sorts by its bytes, missing
/// values come last; sparse columns come first, by a hash of their entries. Keeps one of each set of equal rows, with
/// the sum of their weights. weights: one per row of the table.
void merge_equal_rows(const RowValues& values, std::vector<std::size_t>& rows, std::span<double> weights);

}  // namespace accrete::boosting
