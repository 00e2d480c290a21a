#pragma once
// Turns raw columns into the features of a network; learnt on the training rows and stored in the model.
//
//   numeric column   (x - mean) / deviation; a missing value becomes 0, the mean          1 feature
//     with bins      ramps between the bins' boundaries, standardised                     1 feature per bin
//   text column      one-hot over the levels seen in training, standardised               1 feature per level
//   sparse column    x / deviation: 0 stays 0                                             1 feature
//   dense, with missing values in training: a gap flag, 1 where missing                   1 feature
//
// A missing text value or an unseen level counts as "not this level" for every level. A column that is constant over
// the training rows encodes to 0 for every row.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "accrete/core/content_id.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/core/tiled.hpp"
#include "accrete/data/encoder/column_encoding.hpp"
#include "accrete/data/encoder/fit_input.hpp"
#include "accrete/data/input.hpp"
#include "accrete/data/table.hpp"

namespace accrete::data {

class Encoder {
 public:
  Encoder() = default;
  /// Throws DataError for an input that ColumnEncoding rejects.
  explicit Encoder(std::vector<Input> inputs);

  /// Learns from the given rows and columns; means, deviations, shares and quantiles are weighted. With workers, each
  /// column is a task.
  static Encoder fit(const Table& table, std::span<const std::size_t> columns, const WeightedRows& from,
                     const EncoderOptions& options = {}, core::Workers* workers = nullptr);

  const std::vector<Input>& inputs() const { return inputs_; }
  const std::vector<ColumnEncoding>& columns() const { return columns_; }  ///< how each input becomes features
  std::size_t features() const { return features_; }
  std::vector<std::string> feature_names() const;  ///< "age", "age 23..31", "age missing", "colour=red"

  /// Matches columns by name, in any order, and ignores others. Throws DataError for a missing column, text in a
  /// numeric column, or an infinity; the message names row and column.
  core::TiledMatrix encode(const Table& table, std::span<const std::size_t> rows) const;
  core::TiledMatrix encode(const Table& table) const;  ///< all rows

  /// Encodes one row without a table: one raw value per input (column_encoding.hpp) to features() values. Throws
  /// DataError for an infinite number. Does not allocate.
  void encode_row(std::span<const float> raw, std::span<float> features) const;

  /// Throws DataError for the first infinite number of a row, if any. raw: one value per input.
  void refuse_infinite(std::span<const float> raw) const;

  /// True if every input is numeric, which allows encode_tile to encode a matrix without a table.
  bool all_numeric() const { return all_numeric_; }

  /// Requires all_numeric(). Encodes row-major rows, one column per input, into one tile: feature f of row r at tile[f
  /// * stride + r]. Returns false if a number is infinite. Does not allocate.
  bool encode_tile(core::MatrixView<const float> raw, float* tile, std::size_t stride) const;

  const core::ContentId& content() const { return content_; }  ///< equal for copies

 private:
  core::ContentId content_;
  std::vector<Input> inputs_;
  std::vector<ColumnEncoding> columns_;
  std::size_t features_ = 0;
  bool all_numeric_ = true;
  std::vector<std::size_t> first_;  ///< first feature of each column
  // True if every input is exactly one Standardised feature; a row is then encoded as one vector.
  bool one_each_ = true;
  std::vector<double> means_, inverses_;
};

}  // namespace accrete::data
