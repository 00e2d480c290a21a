#pragma once
// The table of a fit whose rows are divided among ranks. Every rank holds its rows, and the targets, weights and
// offsets of all rows; another column of all rows is held one at a time, while its encoding is learnt.

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

/// Up to this many rows are gathered on every rank, which then does the work of one process until the rows are encoded:
/// equal rows of a small table are merged (rows/distinct_rows.hpp), which takes all of them.
inline constexpr std::size_t max_gathered_rows = 16384;

class SharedTable {
 public:
  /// table: the rows of this rank; keeps the references. Throws as comm::TableShare does.
  SharedTable(const data::Table& table, comm::Communicator& comm) : share_(table, comm) {}

  std::size_t rows() const { return share_.rows().total(); }

  /// All rows.
  data::Table gather() const;
  /// All rows of the named columns and of the first one, which gives the number of rows; other columns have no rows.
  data::Table gather_columns(std::span<const std::string> names) const;
  /// The listed rows of all ranks.
  data::Table gather_rows(std::span<const std::size_t> rows) const;

  /// As data::Encoder::fit; from: rows of all ranks.
  data::Encoder fit_encoder(std::span<const std::size_t> columns, const data::WeightedRows& from,
                            const data::EncoderOptions& options) const;
  /// As data::encode_subsets, for the rows that this rank is to train on; subsets: rows of all ranks.
  std::vector<data::Features> encode(const data::Encoder& encoder,
                                     std::span<const std::span<const std::size_t>> subsets,
                                     core::Workers& workers) const;

 private:
  comm::TableShare share_;
};

/// Some rows of a shared table on all ranks, with what a fit reads from them.
class GatheredRows {
 public:
  GatheredRows(const SharedTable& shared, const TrainingTable& from, std::span<const std::size_t> rows);
  GatheredRows(const GatheredRows&) = delete;

  const TrainingTable& table() const { return training_; }

 private:
  data::Table table_;
  TrainingTable training_;
};

/// Removes the features of rows that other ranks train on, if `data` has them.
void keep_own_rows(data::Dataset& data, const comm::Communicator& comm);

}  // namespace accrete::boosting
