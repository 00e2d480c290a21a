#pragma once
// The rows of a table for predictions after every step.

#include <cstddef>
#include <optional>
#include <span>

#include "accrete/core/tiled.hpp"
#include "accrete/data/encoder.hpp"
#include "accrete/data/encoder/table_encoder.hpp"
#include "accrete/data/sparse.hpp"
#include "accrete/data/table.hpp"
#include "accrete/network/forward.hpp"

namespace accrete::model {

/// Encoded once or, if that would take more than max_bytes, again tile by tile in every step: a category of 5,000
/// levels takes 20 kB per row. Rows stay sparse if all inputs are sparse. The results of all variants are
/// bit-identical.
class StagedRows {
 public:
  static constexpr std::size_t default_max_bytes = std::size_t{1} << 28;

  /// Keeps references to its arguments. Throws DataError as Encoder::encode does.
  StagedRows(const data::Encoder& encoder, const data::Table& table, std::size_t max_bytes = default_max_bytes);

  /// The listed rows.
  StagedRows(const data::Encoder& encoder, const data::Table& table, std::span<const std::size_t> listed);

  /// Valid as long as this object exists and is not moved.
  network::TileSource tiles() const;

 private:
  std::size_t rows_, features_;
  std::optional<data::SparseRows> sparse_;
  std::optional<core::TiledMatrix> encoded_;
  std::optional<data::TableEncoder> encoder_;
};

}  // namespace accrete::model
