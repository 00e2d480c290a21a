#include "accrete/model/staged_rows.hpp"

#include <algorithm>

namespace accrete::model {

StagedRows::StagedRows(const data::Encoder& encoder, const data::Table& table, std::size_t max_bytes)
    : rows_(table.rows()), features_(encoder.features()) {
  if (rows_ * features_ <= max_bytes / sizeof(float)) {
    encoded_ = encoder.encode(table);
    return;
  }
  encoder_.emplace(encoder, table, data::RowSelection{nullptr, rows_});
  encoder_->refuse_infinite(0, rows_);
}

network::TileRows StagedRows::tiles() const {
  if (encoded_) return network::TileRows::of(*encoded_);
  const std::size_t tile_rows = core::TiledMatrix::tile_rows_for(features_);
  return {.rows = rows_,
          .tile_rows = tile_rows,
          .scratch = features_ * tile_rows,
          .read = [this, tile_rows](std::size_t tile, float* scratch) -> const float* {
            const std::size_t first = tile * tile_rows;
            encoder_->encode(first, std::min(tile_rows, rows_ - first), scratch, tile_rows);
            return scratch;
          }};
}

}  // namespace accrete::model
