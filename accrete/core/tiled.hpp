#pragma once
// The layout every kernel reads: tiles of a fixed number of rows, feature-major inside a tile.
//
//   tile 0: feature 0 of rows 0..T-1, feature 1 of rows 0..T-1, ...     tile 1: feature 0 of rows T..2T-1, ...
//
// A vector load reads one feature of consecutive rows. A tile stays in the L1 cache between forward and backward pass
// of an evaluation. A step on a subset of the features does not touch the others.

#include <cstddef>
#include <span>

#include "accrete/core/aligned.hpp"
#include "accrete/core/matrix.hpp"

namespace accrete::core {

class TiledMatrix {
 public:
  TiledMatrix() = default;

  /// All zero; pages are committed on first write (core/aligned.hpp). tile_rows depends only on cols, so that matrices
  /// of equal width share a layout.
  TiledMatrix(std::size_t rows, std::size_t cols);
  /// tile_rows must be a multiple of 64. For columns that expand to several features.
  TiledMatrix(std::size_t rows, std::size_t cols, std::size_t tile_rows);

  static TiledMatrix from_rows(MatrixView<const float> rows);

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  std::size_t tile_rows() const { return tile_rows_; }
  std::size_t tiles() const { return tiles_; }

  /// tile_rows() * cols() values; padding rows are zero.
  float* tile(std::size_t t) { return values_.data() + t * tile_rows_ * cols_; }
  const float* tile(std::size_t t) const { return values_.data() + t * tile_rows_ * cols_; }

  float& at(std::size_t row, std::size_t col) { return values_[index(row, col)]; }
  float at(std::size_t row, std::size_t col) const { return values_[index(row, col)]; }

  /// Copies the listed rows, in that order, to `result`, and reuses its memory if it has that shape already.
  void select_rows(std::span<const std::size_t> rows, TiledMatrix& result) const;
  TiledMatrix select_rows(std::span<const std::size_t> rows) const;

  static constexpr std::size_t max_tile_rows = 256;
  /// Rows per tile for a matrix of this width: a multiple of 64, about 32 KiB of features.
  static std::size_t tile_rows_for(std::size_t cols);

 private:
  std::size_t index(std::size_t row, std::size_t col) const {
    return (row / tile_rows_) * tile_rows_ * cols_ + col * tile_rows_ + row % tile_rows_;
  }

  ZeroedVector<float> values_;
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::size_t tile_rows_ = 64;
  std::size_t tiles_ = 0;
};

/// An array laid out like a TiledMatrix: columns x tile_rows values per tile.
struct TileLayout {
  std::size_t columns, tile_rows;
};

/// Copies the listed rows, in that order, from one such array to another. Padding rows of `to` are not written.
void gather_rows(const float* from, TileLayout layout, std::span<const std::size_t> rows, float* to);

}  // namespace accrete::core
