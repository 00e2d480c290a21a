#include "accrete/data/encoder/table_encoder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "accrete/core/error.hpp"
#include "accrete/data/column_index.hpp"

namespace accrete::data {

TableEncoder::TableEncoder(const Encoder& encoder, const Table& table, RowSelection rows, FeatureStorage storage)
    : encoder_(encoder), storage_(storage) {
  const ColumnIndex index(table);
  readers_.reserve(encoder.inputs().size());
  for (const Input& input : encoder.inputs()) {
    const auto at = index.find(input.name);
    if (!at)
      throw core::DataError(fmt::format("{}: column '{}' is missing; the model needs it", table.source, input.name));
    readers_.emplace_back(input, ColumnSource{table, table.columns[*at], rows});
  }
  for (const ColumnEncoding& column : encoder.columns()) widths_.push_back(stored_columns(column, storage));
}

bool TableEncoder::encode(std::size_t first, std::size_t count, float* tile, std::size_t stride) const {
  bool finite = true;
  for (std::size_t c = 0; c < readers_.size(); ++c) {
    if (widths_[c] == 0) continue;  // a column without features needs no read
    const float* x = readers_[c].read(first, count, tile);
    finite = x && write_features(encoder_.columns()[c], storage_, x, count, tile, stride) && finite;
    tile += widths_[c] * stride;
  }
  return finite;
}

void TableEncoder::refuse_infinite(std::size_t first, std::size_t count) const {
  for (const ColumnReader& reader : readers_) reader.refuse_infinite(first, count);
}

void encode_tiles(const TableEncoder& columns, std::size_t first, std::size_t last, core::TiledMatrix& out) {
  for (const std::size_t t = out.tile_rows(); first < last; first += t) {
    const std::size_t count = std::min(t, last - first);
    if (!columns.encode(first, count, out.tile(first / t), t)) columns.refuse_infinite(first, count);
  }
}

}  // namespace accrete::data
