#pragma once
// A small fit as a function of the weighted set of its rows: bit for bit the same for any order of the rows, and for a
// row that comes k times or once with weight k.

#include <cstddef>
#include <span>
#include <vector>

#include "accrete/core/matrix.hpp"
#include "accrete/data/table.hpp"

namespace accrete::boosting {

/// Most rows a fit puts in order. Beyond them their order matters to rounding only, and they are left as they come:
/// rows that do not ascend would keep a table from being given back while it is encoded.
inline constexpr std::size_t most_ordered_rows = 16384;

/// What makes two rows of a table the same: their values in these columns, and their targets.
struct RowValues {
  const data::Table& table;
  std::span<const std::size_t> columns;
  const core::Matrix<double>& targets;  ///< one row for each of the table
};

/// Puts the listed rows in the order of their values, column after column and then target after target: numbers ascend
/// (-0 is 0), text is in the order of its characters, gaps come last. Of rows that are equal one stays in the list, and
/// its weight becomes the sum of theirs. weights: one per row of the table.
void join_equal_rows(const RowValues& values, std::vector<std::size_t>& rows, std::span<double> weights);

}  // namespace accrete::boosting
