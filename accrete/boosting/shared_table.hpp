#pragma once
// The table of a fit whose rows are divided among ranks. Every rank holds its own rows plus the targets, weights and
// offsets of all rows; any other column is gathered one at a time, while its encoding is learnt.

#include <cstddef>
#include <span>
#include <vector>

#include "accrete/boosting/read.hpp"
#include "accrete/comm/table_share.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/dataset.hpp"
#include "accrete/data/encoder.hpp"
#include "accrete/data/features.hpp"
#include "accrete/data/table.hpp"

namespace accrete::boosting {

/// Tables of up to this many rows are gathered on every rank, which then works like a single process until the rows are
/// encoded: merging equal rows (rows/distinct_rows.hpp) needs all of them.
inline constexpr std::size_t max_gathered_rows = 16384;

class SharedTable {
 public:
  /// table: the rows of this rank; must outlive the object, as must comm. Throws as comm::TableShare does.
  SharedTable(const data::Table& table, comm::Communicator& comm) : share_(table, comm) {}

  std::size_t rows() const { return share_.rows().total(); }

  /// A table of all rows.
  data::Table gather() const;
  /// All rows of the named columns, and of the first column because it defines the row count; other columns are empty.
  data::Table gather_columns(std::span<const std::string> names) const;
  /// A table of the listed rows of all ranks.
  data::Table gather_rows(std::span<const std::size_t> rows) const;

  /// A table of the listed rows that this rank holds; `rows` lists rows of all ranks.
  data::Table own_rows(std::span<const std::size_t> rows) const;

  /// As data::Encoder::fit; `from` lists rows of all ranks. Each rank learns the encodings of some of the columns.
  data::Encoder fit_encoder(std::span<const std::size_t> columns, const data::WeightedRows& from,
                            const data::EncoderOptions& options) const;
  /// As data::encode_subsets, but returns only rows that this rank trains on; `subsets` list rows of all ranks.
  std::vector<data::Features> encode(const data::Encoder& encoder,
                                     std::span<const std::span<const std::size_t>> subsets,
                                     core::Workers& workers) const;

 private:
  void check_columns(std::span<const std::size_t> columns, const data::WeightedRows& from,
                     const data::EncoderOptions& options) const;

  comm::TableShare share_;
};

/// Selected rows of a shared table, gathered on all ranks, with what a fit reads from them.
class GatheredRows {
 public:
  GatheredRows(const SharedTable& shared, const TrainingTable& from, std::span<const std::size_t> rows);
  GatheredRows(const GatheredRows&) = delete;

  const TrainingTable& table() const { return training_; }

 private:
  data::Table table_;
  TrainingTable training_;
};

/// Drops the features of rows that other ranks train on, if `data` has them.
void keep_own_rows(data::Dataset& data, const comm::Communicator& comm);

}  // namespace accrete::boosting
