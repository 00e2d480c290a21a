#pragma once
// The rows of a batch prediction: a table, or a matrix of numbers. Internal to model/ and explain/.

#include <cstddef>
#include <span>

#include "accrete/core/matrix.hpp"
#include "accrete/data/encoder/table_encoder.hpp"
#include "accrete/network/predict_tables.hpp"

namespace accrete::model {

/// Rows first .. first + count - 1 of a batch.
struct RowRange {
  std::size_t first, count;
};

/// All rows of a table; columns are matched by name.
class TableSource {
 public:
  /// Throws DataError as data::TableEncoder does. Keeps references to its arguments.
  TableSource(const data::Encoder& encoder, const data::Table& table);

  std::size_t rows() const { return rows_; }
  /// Encodes the rows into a tile. Returns false if a number is infinite, as does find_codes.
  bool encode(RowRange range, float* tile, std::size_t tile_rows) const;
  /// Writes the rows' codes, count x tables.columns(). scratch: count values.
  bool find_codes(const network::PredictTables& tables, RowRange range, network::TableCode* codes,
                  float* scratch) const;
  /// Throws DataError for the first infinity among the rows.
  void refuse_infinite(RowRange range) const;
  /// The raw values of the rows, for prefetching, if they are contiguous; otherwise empty.
  std::span<const float> raw(RowRange) const { return {}; }

 private:
  data::TableEncoder encoder_;
  std::size_t rows_;
};

/// All rows of a matrix of raw values (column_encoding.hpp), one column per input; interface as in TableSource.
class MatrixSource {
 public:
  MatrixSource(const data::Encoder& encoder, core::MatrixView<const float> raw) : encoder_(encoder), raw_(raw) {}

  std::size_t rows() const { return raw_.rows; }
  bool encode(RowRange range, float* tile, std::size_t tile_rows) const;
  bool find_codes(const network::PredictTables& tables, RowRange range, network::TableCode* codes,
                  float* scratch) const;
  void refuse_infinite(RowRange range) const;
  std::span<const float> raw(RowRange range) const;

 private:
  const data::Encoder& encoder_;
  core::MatrixView<const float> raw_;
};

}  // namespace accrete::model
