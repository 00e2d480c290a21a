#include "accrete/model/predict_source.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/core/row.hpp"

namespace accrete::model {

TableSource::TableSource(const data::Encoder& encoder, const data::Table& table)
    : encoder_(encoder, table, {nullptr, table.rows()}), rows_(table.rows()) {}

bool TableSource::encode(RowRange range, float* tile, std::size_t tile_rows) const {
  return encoder_.encode(range.first, range.count, tile, tile_rows);
}

bool TableSource::find_codes(const network::PredictTables& tables, RowRange range, network::TableCode* codes,
                             float* scratch) const {
  bool finite = true;
  for (std::size_t c = 0; c < tables.columns(); ++c) {
    const float* x = encoder_.readers()[tables.input(c)].read(range.first, range.count, scratch);
    finite = x && tables.find(c, {.x = x, .count = range.count, .stride = 1}, codes) && finite;
  }
  return finite;
}

void TableSource::refuse_infinite(RowRange range) const {
  encoder_.refuse_infinite(range.first, range.count);
}

bool MatrixSource::encode(RowRange range, float* tile, std::size_t tile_rows) const {
  const core::MatrixView<const float> rows{raw_.data + range.first * raw_.cols, range.count, raw_.cols};
  if (encoder_.all_numeric()) return encoder_.encode_tile(rows, tile, tile_rows);
  if (std::ranges::any_of(rows.flat(), [](float x) { return std::isinf(x); })) return false;
  std::vector<float> features(encoder_.features());
  for (std::size_t r = 0; r < rows.rows; ++r) {
    encoder_.encode_row(rows.row(r), features);
    for (std::size_t f = 0; f < features.size(); ++f) tile[f * tile_rows + r] = features[f];
  }
  return true;
}

bool MatrixSource::find_codes(const network::PredictTables& tables, RowRange range, network::TableCode* codes,
                              float*) const {
  bool finite = true;
  for (std::size_t c = 0; c < tables.columns(); ++c) {
    const float* x = raw_.data + range.first * raw_.cols + tables.input(c);
    finite = tables.find(c, {.x = x, .count = range.count, .stride = raw_.cols}, codes) && finite;
  }
  return finite;
}

void MatrixSource::refuse_infinite(RowRange range) const {
  for (std::size_t i = range.first * raw_.cols; i < (range.first + range.count) * raw_.cols; ++i)
    if (std::isinf(raw_.data[i]))
      throw core::DataError(core::message("data: {}, column '{}': the value is infinite", core::row(i / raw_.cols),
                                          encoder_.inputs()[i % raw_.cols].name));
}

std::span<const float> MatrixSource::raw(RowRange range) const {
  return raw_.flat().subspan(range.first * raw_.cols, range.count * raw_.cols);
}

}  // namespace accrete::model
