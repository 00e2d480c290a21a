#pragma once
// Encodes the columns that an encoder reads from a table, tile by tile. Internal to data::Encoder.

#include <cstddef>
#include <vector>

#include "accrete/core/tiled.hpp"
#include "accrete/data/column_reader.hpp"
#include "accrete/data/encoder.hpp"
#include "accrete/data/encoder/feature_writer.hpp"

namespace accrete::data {

/// Thread-safe after construction.
class TableEncoder {
 public:
  /// Matches columns by name. Throws DataError for a missing column, and as ColumnReader does. Keeps references.
  TableEncoder(const Encoder& encoder, const Table& table, RowSelection rows,
               FeatureStorage storage = FeatureStorage::expanded);

  /// Writes stored column c of selected row first + r to tile[c * stride + r]. Returns false if a number is infinite.
  bool encode(std::size_t first, std::size_t count, float* tile, std::size_t stride) const;

  /// Throws DataError for the first infinity among these rows, if any.
  void refuse_infinite(std::size_t first, std::size_t count) const;

  /// One per input of the encoder.
  const std::vector<ColumnReader>& readers() const { return readers_; }

 private:
  const Encoder& encoder_;
  FeatureStorage storage_;
  std::vector<ColumnReader> readers_;
  std::vector<std::size_t> widths_;  ///< stored columns of each input
};

/// Encodes rows first .. last - 1; first must start a tile. Throws DataError for an infinity. Calls for different tiles
/// may run concurrently.
void encode_tiles(const TableEncoder& columns, std::size_t first, std::size_t last, core::TiledMatrix& out);

}  // namespace accrete::data
