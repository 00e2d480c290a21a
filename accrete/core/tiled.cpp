#include "accrete/core/tiled.hpp"

#include <algorithm>

namespace accrete::core {

std::size_t TiledMatrix::tile_rows_for(std::size_t cols) {
  constexpr std::size_t tile_floats = 32 * 1024 / sizeof(float);
  const std::size_t rows = tile_floats / std::max<std::size_t>(cols, 1) / 64 * 64;
  return std::clamp<std::size_t>(rows, 64, 256);
}

TiledMatrix::TiledMatrix(std::size_t rows, std::size_t cols)
    : rows_(rows), cols_(cols), tile_rows_(tile_rows_for(cols)), tiles_((rows + tile_rows_ - 1) / tile_rows_) {
  values_.resize(tiles_ * tile_rows_ * cols_);
}

TiledMatrix TiledMatrix::from_rows(MatrixView<const float> rows) {
  TiledMatrix result(rows.rows, rows.cols);
  for (std::size_t r = 0; r < rows.rows; ++r)
    for (std::size_t c = 0; c < rows.cols; ++c) result.at(r, c) = rows(r, c);
  return result;
}

TiledMatrix TiledMatrix::select_rows(std::span<const std::size_t> rows) const {
  TiledMatrix result(rows.size(), cols_);
  const std::size_t t = tile_rows_;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const float* from = tile(rows[i] / t) + rows[i] % t;
    float* to = result.tile(i / t) + i % t;
    for (std::size_t c = 0; c < cols_; ++c) to[c * t] = from[c * t];
  }
  return result;
}

}  // namespace accrete::core
