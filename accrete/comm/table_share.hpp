#pragma once
// A table whose rows are divided among the ranks, in rank order. Each rank has a table of its rows with the same
// columns: names, kinds, formats and levels. No rank holds all rows of the table; columns are gathered one at a time.

#include <cstddef>
#include <span>

#include "accrete/comm/communicator.hpp"
#include "accrete/comm/row_exchange.hpp"
#include "accrete/comm/share.hpp"
#include "accrete/data/table.hpp"

namespace accrete::comm {

class TableShare {
 public:
  /// Keeps references. Throws DataError on all ranks if a rank has no rows or its columns differ from rank 0's, and
  /// UsageError for sparse columns.
  TableShare(const data::Table& table, Communicator& comm);

  const Share& rows() const { return rows_; }
  Communicator& ranks() const { return comm_; }
  const data::Table& table() const { return table_; }  ///< of this rank

  /// The column with all rows, on all ranks.
  data::Column gather_column(std::size_t column) const;
  /// The column with the listed rows of all ranks, in that order.
  data::Column gather_rows(std::size_t column, std::span<const std::size_t> rows) const;
  /// The column with this rank's part of the rows of an exchange.
  data::Column take_rows(std::size_t column, const RowExchange& exchange) const;

 private:
  void check_columns() const;

  const data::Table& table_;
  Communicator& comm_;
  Share rows_;
};

/// Makes the levels of a text column equal on all ranks: those of the complete table, in its order.
void merge_levels(data::Column& column, Communicator& comm);

}  // namespace accrete::comm
