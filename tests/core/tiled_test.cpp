#include "accrete/core/tiled.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace accrete::core::tiled_test {
namespace {

Matrix<float> numbered(std::size_t rows, std::size_t cols) {
  Matrix<float> values(rows, cols);
  for (std::size_t i = 0; i < rows * cols; ++i) values.flat()[i] = static_cast<float>(i + 1);
  return values;
}

TEST(TiledMatrix, ChoosesTileRowsForVectorsAndCache) {
  for (std::size_t cols = 0; cols < 3000; ++cols) {
    const std::size_t rows = TiledMatrix::tile_rows_for(cols);
    ASSERT_EQ(rows % 64, 0u) << cols;
    ASSERT_GE(rows, 64u);
    ASSERT_LE(rows, 256u);
    if (rows > 64) {
      ASSERT_LE(rows * cols * sizeof(float), 32u * 1024u) << cols;
    }
  }
}

TEST(TiledMatrix, ReturnsEveryStoredValue) {
  for (const std::size_t cols : {1u, 3u, 24u, 100u, 700u}) {
    const std::size_t t = TiledMatrix::tile_rows_for(cols);
    for (const std::size_t rows : {std::size_t{1}, t - 1, t, t + 1, 3 * t + 5}) {
      const Matrix<float> values = numbered(rows, cols);
      const TiledMatrix tiled = TiledMatrix::from_rows(values);
      ASSERT_EQ(tiled.rows(), rows);
      ASSERT_EQ(tiled.cols(), cols);
      ASSERT_EQ(tiled.tiles(), (rows + t - 1) / t);
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < cols; ++c) ASSERT_EQ(tiled.at(r, c), values(r, c));
    }
  }
}

TEST(TiledMatrix, IsFeatureMajorInsideATile) {
  const std::size_t t = TiledMatrix::tile_rows_for(3);
  const Matrix<float> values = numbered(2 * t, 3);
  const TiledMatrix tiled = TiledMatrix::from_rows(values);
  for (std::size_t r = 0; r < 2 * t; ++r)
    for (std::size_t c = 0; c < 3; ++c) ASSERT_EQ(tiled.tile(r / t)[c * t + r % t], values(r, c));
}

TEST(TiledMatrix, PadsTheLastTileWithZeros) {
  const std::size_t t = TiledMatrix::tile_rows_for(5);
  const TiledMatrix tiled = TiledMatrix::from_rows(numbered(t + 3, 5));
  for (std::size_t c = 0; c < 5; ++c)
    for (std::size_t j = 3; j < t; ++j) ASSERT_EQ(tiled.tile(1)[c * t + j], 0.0f);
}

TEST(TiledMatrix, IsAlignedToACacheLine) {
  const TiledMatrix tiled(100, 7);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tiled.tile(0)) % 64, 0u);
}

TEST(TiledMatrix, SelectsRowsInTheGivenOrder) {
  const Matrix<float> values = numbered(1000, 9);
  const TiledMatrix tiled = TiledMatrix::from_rows(values);
  std::vector<std::size_t> rows{999, 0, 0, 512};
  for (std::size_t r = 0; r < 1000; r += 3) rows.push_back(r);
  const TiledMatrix chosen = tiled.select_rows(rows);
  ASSERT_EQ(chosen.rows(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t c = 0; c < 9; ++c) ASSERT_EQ(chosen.at(i, c), values(rows[i], c));
}

TEST(TiledMatrix, AllowsZeroRowsOrColumns) {
  EXPECT_EQ(TiledMatrix().tiles(), 0u);
  EXPECT_EQ(TiledMatrix(0, 4).tiles(), 0u);
  EXPECT_EQ(TiledMatrix(4, 0).rows(), 4u);
  EXPECT_EQ(TiledMatrix(10, 4).select_rows({}).rows(), 0u);
}

TEST(TiledMatrix, ReusesTheMemoryOfASelection) {
  const std::size_t t = TiledMatrix::tile_rows_for(70);
  const TiledMatrix all = TiledMatrix::from_rows(numbered(3 * t, 70));
  std::vector<std::size_t> first, second, shorter{5, 1};
  for (std::size_t r = 0; r < t + 9; ++r) first.push_back(2 * r), second.push_back(3 * t - 1 - r);
  TiledMatrix selection;
  for (const auto& rows : {first, second, shorter, first}) {
    all.select_rows(rows, selection);
    ASSERT_EQ(selection.rows(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t c = 0; c < 70; ++c) ASSERT_EQ(selection.at(i, c), all.at(rows[i], c));
    for (std::size_t j = rows.size() % t; j < t; ++j) ASSERT_EQ(selection.tile(selection.tiles() - 1)[j], 0.0f);
  }
}

}  // namespace
}  // namespace accrete::core::tiled_test
