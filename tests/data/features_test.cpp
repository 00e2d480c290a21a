#include "accrete/data/features.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>

#include "accrete/core/denormals.hpp"
#include "accrete/core/random.hpp"
#include "accrete/data/encoder/encode_subsets.hpp"

namespace accrete::data::features_test {
namespace {

constexpr std::size_t compact_storage = 0, expanded_storage = std::numeric_limits<std::size_t>::max();

/// Numbers of very different scales, one close to the smallest float; the last column has missing values.
Table make_table(std::size_t rows) {
  core::Rng rng(11, rows, core::Purpose::generator);
  Table table{"t", std::vector<Column>(5)};
  const double scales[] = {1.0, 1e5, 1e-36, 1e28, 1.0};
  for (std::size_t c = 0; c < 5; ++c) {
    table.columns[c].name = std::string(1, static_cast<char>('a' + c));
    for (std::size_t r = 0; r < rows; ++r)
      table.columns[c].numbers.push_back(c == 4 && rng.below(5) == 0 ? std::numeric_limits<float>::quiet_NaN()
                                                                     : static_cast<float>(scales[c] * rng.normal()));
  }
  return table;
}

struct Encoded {
  explicit Encoded(std::size_t rows, std::size_t bins = 9) : table(make_table(rows)) {
    std::vector<std::size_t> all(rows);
    std::iota(all.begin(), all.end(), std::size_t{0});
    const std::size_t columns[] = {0, 1, 2, 3, 4};
    encoder = Encoder::fit(table, columns, {all}, {.bins = bins});
    const std::span<const std::size_t> subsets[] = {all};
    core::Workers workers(1);
    compact = std::move(encode_subsets(encoder, {table}, subsets, workers, {.max_expanded = compact_storage}).front());
    expanded =
        std::move(encode_subsets(encoder, {table}, subsets, workers, {.max_expanded = expanded_storage}).front());
  }

  Table table;
  Encoder encoder;
  Features compact, expanded;
};

std::uint32_t bits(float x) {
  return std::bit_cast<std::uint32_t>(x);
}

void expect_same(const Features& found, const Features& wanted) {
  ASSERT_EQ(found.rows(), wanted.rows());
  ASSERT_EQ(found.cols(), wanted.cols());
  ASSERT_EQ(found.tiles(), wanted.tiles());
  std::vector<float> buffer(found.tile_rows());
  for (std::size_t f = 0; f < found.cols(); ++f)
    for (std::size_t r = 0; r < found.rows(); ++r) {
      ASSERT_EQ(bits(found.at(r, f)), bits(wanted.at(r, f))) << r << ' ' << f;
      const float* column = found.column(r / found.tile_rows(), f, buffer.data());
      ASSERT_EQ(bits(column[r % found.tile_rows()]), bits(wanted.at(r, f))) << r << ' ' << f;
    }
}

TEST(Features, ComputedRampsHaveTheBitsOfStoredRamps) {
  for (const std::size_t rows : {3, 64, 130, 700}) {
    const Encoded e(rows);
    EXPECT_EQ(e.expanded.cols(), e.encoder.features());
    EXPECT_EQ(e.expanded.stored().cols(), e.expanded.cols());
    EXPECT_LT(e.compact.stored().cols(), e.compact.cols());
    expect_same(e.compact, e.expanded);
  }
}

TEST(Features, FlushesDenormalsAsTrainingDoes) {
  const Encoded e(300);
  std::vector<float> row(e.encoder.features()), raw(5);
  for (std::size_t r = 0; r < 300; ++r) {
    for (std::size_t c = 0; c < 5; ++c) raw[c] = e.table.columns[c].numbers[r];
    e.encoder.encode_row(raw, row);
    const core::FlushDenormals as_in_training;
    for (std::size_t f = 0; f < row.size(); ++f) ASSERT_EQ(e.compact.at(r, f), row[f]) << r << ' ' << f;
  }
}

TEST(Features, SelectsRowsInEitherStorage) {
  const Encoded e(700);
  const std::vector<std::size_t> some{5, 699, 5, 0, 64, 63}, others{1, 2, 3};
  expect_same(e.compact.select_rows(some), e.expanded.select_rows(some));
  Features used = e.compact.select_rows(some);
  for (const auto& rows : {others, some}) {
    e.compact.select_rows(rows, used);
    expect_same(used, e.expanded.select_rows(rows));
  }
  EXPECT_EQ(used.stored().cols(), e.compact.stored().cols());
  e.expanded.select_rows(some, used);
  expect_same(used, e.expanded.select_rows(some));
}

}  // namespace
}  // namespace accrete::data::features_test
