#pragma once
// The table of a fit whose rows are divided among ranks. Every rank holds its rows, and the targets, weights and
// offsets of all rows; another column of all rows is held one at a time, while its encoding is learnt.

#include <cstddef>
#include <span>
#include <vector>

#include "accrete/boosting/fit.hpp"
#include "accrete/boosting/read.hpp"
#include "accrete/comm/table_share.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/encoder.hpp"
#include "accrete/data/features.hpp"
#include "accrete/data/table.hpp"

namespace accrete::boosting {

/// Fewer rows are gathered by every rank, which then works as one process does until the rows are encoded: rows that
/// few may have to be sorted (rows/distinct_rows.hpp).
inline constexpr std::size_t max_gathered_rows = 16384;

class SharedTable {
 public:
  /// table: the rows of this rank; keeps the references. Throws as comm::TableShare does.
  SharedTable(const data::Table& table, comm::Communicator& comm) : share_(table, comm) {}

  std::size_t rows() const { return share_.rows().total(); }

  /// All rows.
  data::Table gather() const;
  /// All rows of the named columns, and of the first one, which tells their number; the others are described but have
  /// no rows.
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

/// Keeps the features of the rows that this rank is to train on, of all rows.
void keep_own_rows(data::Dataset& data, const comm::Communicator& comm);

/// fit across ranks: gathers what the verbs need and runs them. Throws UsageError for what takes one process.
FitResult fit_shared(data::TableSource source, const FitOptions& options, const Observer& observer);

/// The verbs, for a table with all rows, or described by a shared one.
FitResult fit_plain(data::TableSource source, const FitOptions& options, const Observer& observer,
                    const SharedTable* shared = nullptr);

}  // namespace accrete::boosting
