#include "accrete/data/encoder/encode_subsets.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <limits>
#include <numeric>
#include <optional>
#include <string>

#include "accrete/core/error.hpp"
#include "accrete/core/mapped.hpp"
#include "accrete/core/random.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::data::encode_subsets_test {
namespace {

constexpr std::size_t compact = 0, expanded = std::numeric_limits<std::size_t>::max();

/// More than two blocks of rows: numbers and text with missing values, and a column that no input reads.
Table make_table(std::size_t rows = 150'001, std::uint64_t levels = 3) {
  core::Rng rng(3, 0, core::Purpose::generator);
  Table table{"t", std::vector<Column>(4)};
  for (std::size_t c = 0; c < 4; ++c) table.columns[c].name = std::string(1, static_cast<char>('a' + c));
  table.columns[2].kind = Column::Kind::text;
  for (std::uint64_t l = 0; l < levels; ++l) table.columns[2].levels.push_back("level " + std::to_string(l));
  for (std::size_t r = 0; r < rows; ++r) {
    table.columns[0].numbers.push_back(static_cast<float>(rng.normal()));
    table.columns[1].numbers.push_back(rng.below(9) == 0 ? std::numeric_limits<float>::quiet_NaN()
                                                         : static_cast<float>(rng.uniform()));
    table.columns[2].codes.push_back(static_cast<std::int32_t>(rng.below(levels + 1)) - 1);
    table.columns[3].numbers.push_back(1.0f);
  }
  return table;
}

Encoder fit(const Table& table) {
  std::vector<std::size_t> rows(table.rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const std::size_t columns[] = {0, 1, 2};
  return Encoder::fit(table, columns, {rows}, {.bins = 3});
}

void expect_same(const Features& found, const core::TiledMatrix& wanted) {
  ASSERT_EQ(found.rows(), wanted.rows());
  ASSERT_EQ(found.cols(), wanted.cols());
  ASSERT_EQ(found.tile_rows(), wanted.tile_rows());
  const std::size_t t = wanted.tile_rows();
  std::vector<float> buffer(t);
  for (std::size_t tile = 0; tile < wanted.tiles(); ++tile)
    for (std::size_t f = 0; f < wanted.cols(); ++f) {
      const float* values = found.column(tile, f, buffer.data());
      const std::size_t count = std::min(t, wanted.rows() - tile * t);
      ASSERT_TRUE(std::equal(values, values + count, wanted.tile(tile) + f * t)) << "feature " << f;
    }
}

/// Expanded and compact, table kept and consumed, one thread and three, against Encoder::encode.
void check(const std::vector<std::vector<std::size_t>>& lists) {
  const Table table = make_table();
  const Encoder encoder = fit(table);
  const std::vector<std::span<const std::size_t>> subsets(lists.begin(), lists.end());
  for (const auto& [threads, max_expanded] : {std::pair{1, expanded}, {1, compact}, {3, compact}, {3, expanded}})
    for (const bool consume : {false, true}) {
      core::Workers workers(static_cast<std::size_t>(threads));
      Table mine = table;
      const auto found =
          encode_subsets(encoder, {mine, consume ? &mine : nullptr}, subsets, workers, {.max_expanded = max_expanded});
      ASSERT_EQ(found.size(), subsets.size());
      for (std::size_t i = 0; i < subsets.size(); ++i) expect_same(found[i], encoder.encode(table, subsets[i]));
      EXPECT_EQ(mine.columns.empty(), consume);
      EXPECT_TRUE(consume || mine.columns[0].numbers == table.columns[0].numbers);
    }
}

std::vector<std::size_t> every(std::size_t step, std::size_t first, std::size_t last) {
  std::vector<std::size_t> rows;
  for (std::size_t r = first; r < last; r += step) rows.push_back(r);
  return rows;
}

TEST(EncodeSubsets, EncodesAllRows) {
  check({every(1, 0, 150'001)});
}

TEST(EncodeSubsets, EncodesComplementarySubsets) {
  std::vector<std::size_t> train, test;
  core::Rng rng(1, 0, core::Purpose::validation);
  for (std::size_t r = 0; r < 150'001; ++r) (rng.below(10) == 0 ? test : train).push_back(r);
  check({train, test});
}

TEST(EncodeSubsets, EncodesDistantOverlappingAndEmptySubsets) {
  check({every(7, 0, 60'000), every(3, 140'000, 150'001), every(7, 0, 60'000), {}});
}

TEST(EncodeSubsets, EncodesUnorderedAndRepeatedRows) {
  auto rows = every(2, 0, 150'001);
  core::Rng(5, 0, core::Purpose::rows).shuffle(std::span(rows));
  rows.push_back(rows.front());
  check({rows, {4, 4, 4, 3}});
}

TEST(EncodeSubsets, StoresBinsAsOneColumnWhenCompact) {
  const Table table = make_table(60'000);
  const auto all = every(1, 0, table.rows()), few = every(100, 0, table.rows());
  const std::span<const std::size_t> subsets[] = {all, few, {}};
  const std::size_t columns[] = {0, 1, 2};
  core::Workers workers(1);
  for (const std::size_t bins : {3, 64, 256}) {
    const Encoder encoder = Encoder::fit(table, columns, {all}, {.bins = bins});
    const auto found = encode_subsets(encoder, {table}, subsets, workers);
    EXPECT_EQ(found[0].cols(), 2 * (1 + bins) + 1 + 3 + 1);
    if (bins < min_lookup_bins) {
      EXPECT_EQ(found[0].stored().cols(), 2u * 2 + 1 + 3 + 1)
          << "two numbers, standardised and raw; a gap flag; a category with its gap flag";
      EXPECT_EQ(found[1].stored().cols(), found[1].cols()) << "small: expanded";
    } else {
      EXPECT_EQ(found[0].stored().cols(), 3u) << "two numbers and a category, for lookup";
      EXPECT_EQ(found[1].stored().cols(), 3u);
    }
    EXPECT_EQ(found[2].rows(), 0u);
    const std::size_t tile_rows = core::TiledMatrix::tile_rows_for(found[0].cols());
    for (const Features& subset : std::span(found).first(2))
      EXPECT_EQ(subset.tile_rows(), bins < min_lookup_bins ? tile_rows : std::max(tile_rows, lookup_tile_rows));
  }
  const Encoder plain = Encoder::fit(table, columns, {all});
  EXPECT_EQ(encode_subsets(plain, {table}, subsets, workers, {.max_expanded = compact})[0].stored().cols(),
            plain.features());
}

TEST(EncodeSubsets, StoresALargerCategoryAsOneColumnWhenCompact) {
  const Table table = make_table(1'000, 5);
  const auto all = every(1, 0, table.rows());
  const std::span<const std::size_t> subsets[] = {all};
  const std::size_t columns[] = {2, 0, 1};
  const Encoder encoder = Encoder::fit(table, columns, {all}, {.bins = 3});
  core::Workers workers(1);
  const auto found = encode_subsets(encoder, {table}, subsets, workers, {.max_expanded = compact});
  EXPECT_EQ(found[0].stored().cols(), 2u + 2 * 2 + 1) << "codes and a gap flag; two numbers and a gap flag, as above";
  expect_same(found[0], encoder.encode(table, all));
}

/// A file would be mapped in a folder that does not exist.
TEST(EncodeSubsets, CountsTheMemoryOfTheTableThatItReleases) {
  constexpr std::size_t rows = 120'000;
  Table table{"t", std::vector<Column>(40)};
  for (std::size_t c = 0; c < 40; ++c) {
    Column& column = table.columns[c];
    column.name = std::to_string(c);
    if (c % 2 == 0) {
      column.numbers = core::FloatColumn(rows);
      for (std::size_t r = 0; r < rows; ++r) column.numbers[r] = static_cast<float>(r % 7);
    } else {
      column.kind = Column::Kind::text;
      column.levels = {"a", "b"};
      for (std::size_t r = 0; r < rows; ++r) column.codes.push_back(static_cast<std::int32_t>(r % 2));
    }
  }
  std::vector<std::size_t> columns(40);
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  const auto all = every(1, 0, rows);
  const std::span<const std::size_t> subsets[] = {all};
  const Encoder encoder = Encoder::fit(table, columns, {all});
  core::Workers workers(1);
  const std::size_t of_table = rows * 40 * sizeof(float), of_features = rows * encoder.features() * sizeof(float);
  const core::FreeMemoryOverride limited(of_features - of_table * 9 / 10);
  const char* const given = ::getenv("TMPDIR");
  const std::optional<std::string> before = given ? std::optional<std::string>(given) : std::nullopt;
  ::setenv("TMPDIR", "/nonexistent", 1);
  const auto encode = [&](Table* consumed) {
    return encode_subsets(encoder, {consumed ? *consumed : table, consumed}, subsets, workers,
                          {.max_expanded = expanded});
  };
  EXPECT_THROW(encode(nullptr), core::FileError) << "not both fit into memory";
  Table copy = table;
  EXPECT_NO_THROW(encode(&copy));
  before ? ::setenv("TMPDIR", before->c_str(), 1) : ::unsetenv("TMPDIR");
}

TEST(EncodeSubsets, ThrowsForAnInfinityWithAnyNumberOfThreads) {
  Table table = make_table();
  const Encoder encoder = fit(table);
  table.columns[1].numbers[120'000] = std::numeric_limits<float>::infinity();
  const auto rows = every(1, 0, table.rows());
  const std::span<const std::size_t> subsets[] = {rows};
  for (const std::size_t threads : {1, 3}) {
    core::Workers workers(threads);
    EXPECT_EQ(thrown_message<core::DataError>([&] { encode_subsets(encoder, {table}, subsets, workers); }),
              "t: row 120001 (counting from 1), column 'b' is infinite; only finite numbers can be used");
  }
}

}  // namespace
}  // namespace accrete::data::encode_subsets_test
