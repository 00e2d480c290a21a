#include "accrete/core/tiled.hpp"

#include <algorithm>
#include <array>

namespace accrete::core {

std::size_t TiledMatrix::tile_rows_for(std::size_t cols) {
  constexpr std::size_t tile_floats = 32 * 1024 / sizeof(float);
  const std::size_t rows = tile_floats / std::max<std::size_t>(cols, 1) / 64 * 64;
  return std::clamp<std::size_t>(rows, 64, max_tile_rows);
}

TiledMatrix::TiledMatrix(std::size_t rows, std::size_t cols) : TiledMatrix(rows, cols, tile_rows_for(cols)) {}

TiledMatrix::TiledMatrix(std::size_t rows, std::size_t cols, std::size_t tile_rows)
    : rows_(rows), cols_(cols), tile_rows_(tile_rows), tiles_((rows + tile_rows_ - 1) / tile_rows_) {
  values_.resize(tiles_ * tile_rows_ * cols_);
}

TiledMatrix TiledMatrix::from_rows(MatrixView<const float> rows) {
  TiledMatrix result(rows.rows, rows.cols);
  for (std::size_t r = 0; r < rows.rows; ++r)
    for (std::size_t c = 0; c < rows.cols; ++c) result.at(r, c) = rows(r, c);
  return result;
}

void TiledMatrix::select_rows(std::span<const std::size_t> rows, TiledMatrix& result) const {
  if (result.rows_ != rows.size() || result.cols_ != cols_ || result.tile_rows_ != tile_rows_)
    result = TiledMatrix(rows.size(), cols_, tile_rows_);
  gather_rows(values_.data(), {cols_, tile_rows_}, rows, result.values_.data());
}

TiledMatrix TiledMatrix::select_rows(std::span<const std::size_t> rows) const {
  TiledMatrix result;
  select_rows(rows, result);
  return result;
}

void gather_rows(const float* from, TileLayout layout, std::span<const std::size_t> rows, float* to) {
  const std::size_t t = layout.tile_rows, tile_size = layout.columns * t;
  std::array<std::size_t, TiledMatrix::max_tile_rows> offset;  // offset in `from` of each row of the tile
  std::size_t tile_row = 0, tile_at = 0;  // of the tile with the previous row: its first row and its offset
  for (std::size_t first = 0; first < rows.size(); first += t, to += tile_size) {
    const std::size_t count = std::min(t, rows.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t row = rows[first + i];
      if (row - tile_row >= t) {  // rows are mostly ascending, so few of them need the division
        tile_row = row / t * t;
        tile_at = row / t * tile_size;
      }
      offset[i] = tile_at + (row - tile_row);
    }
    std::size_t c = 0;
    for (; c + 4 <= layout.columns; c += 4)  // four columns per load of an offset
      for (std::size_t i = 0; i < count; ++i) {
        const float* x = from + offset[i] + c * t;
        float* y = to + c * t + i;
        const float x0 = x[0], x1 = x[t], x2 = x[2 * t], x3 = x[3 * t];
        y[0] = x0, y[t] = x1, y[2 * t] = x2, y[3 * t] = x3;
      }
    for (; c < layout.columns; ++c)
      for (std::size_t i = 0; i < count; ++i) to[c * t + i] = from[offset[i] + c * t];
  }
}

}  // namespace accrete::core
