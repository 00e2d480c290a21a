#include "accrete/model/staged_rows.hpp"

#include <algorithm>

#include "accrete/data/encoder/encode_sparse.hpp"

namespace accrete::model {
namespace {

/// All rows if every input is sparse; otherwise unset.
std::optional<data::SparseRows> encode_all_sparse(const data::Encoder& encoder, const data::Table& table) {
  if (!data::is_all_sparse(encoder, table)) return std::nullopt;
  return data::encode_sparse(encoder, table, std::vector<bool>(encoder.inputs().size(), true));
}

}  // namespace

StagedRows::StagedRows(const data::Encoder& encoder, const data::Table& table, std::size_t max_bytes)
    : rows_(table.rows()), features_(encoder.features()), sparse_(encode_all_sparse(encoder, table)) {
  if (sparse_) return;
  if (rows_ * features_ <= max_bytes / sizeof(float)) {
    encoded_ = encoder.encode(table);
    return;
  }
  encoder_.emplace(encoder, table, data::RowSelection{nullptr, rows_});
  encoder_->refuse_infinite(0, rows_);
}

StagedRows::StagedRows(const data::Encoder& encoder, const data::Table& table, std::span<const std::size_t> listed)
    : rows_(listed.size()), features_(encoder.features()), sparse_(encode_all_sparse(encoder, table)) {
  if (sparse_)
    sparse_ = sparse_->select(listed);
  else
    encoded_ = encoder.encode(table, listed);
}

network::TileSource StagedRows::tiles() const {
  if (sparse_) return network::TileSource::of(*sparse_);
  if (encoded_) return network::TileSource::of(*encoded_);
  const std::size_t tile_rows = core::TiledMatrix::tile_rows_for(features_);
  return {.rows = rows_,
          .tile_rows = tile_rows,
          .scratch = features_ * tile_rows,
          .read = [this, tile_rows](std::size_t tile, float* scratch) -> const float* {
            const std::size_t first = tile * tile_rows;
            encoder_->encode(first, std::min(tile_rows, rows_ - first), scratch, tile_rows);
            return scratch;
          },
          .sparse = nullptr};
}

}  // namespace accrete::model
