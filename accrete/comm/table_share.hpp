#pragma once
// A table whose rows are divided among the ranks, in the order of the ranks. Each rank has a table of its rows with the
// same columns: names, kinds, formats and levels. No rank holds all rows; a column of all rows is held one at a time.

#include <cstddef>
#include <span>

#include "accrete/comm/communicator.hpp"
#include "accrete/comm/share.hpp"
#include "accrete/data/table.hpp"

namespace accrete::comm {

class TableShare {
 public:
  /// Keeps the references. Throws DataError, on all ranks, if a rank has no rows or other columns than rank 0, and
  /// UsageError for sparse columns.
  TableShare(const data::Table& table, Communicator& comm);

  const Share& rows() const { return rows_; }
  Communicator& ranks() const { return comm_; }
  const data::Table& table() const { return table_; }  ///< of this rank

  /// The column with all rows.
  data::Column gather_column(std::size_t column) const;
  /// The column with the listed rows of all ranks, in that order.
  data::Column gather_rows(std::size_t column, std::span<const std::size_t> rows) const;
  /// The column with the part of the listed rows that `wanted` gives to this rank.
  data::Column take_rows(std::size_t column, std::span<const std::size_t> rows, const Share& wanted) const;

 private:
  void check_columns() const;

  const data::Table& table_;
  Communicator& comm_;
  Share rows_;
};

/// Makes the levels of a text column the same on all ranks: those of the complete table, in its order.
void merge_levels(data::Column& column, Communicator& comm);

}  // namespace accrete::comm
