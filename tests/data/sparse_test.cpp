#include "accrete/data/sparse.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "accrete/core/error.hpp"
#include "accrete/data/encoder/encode_sparse.hpp"
#include "accrete/data/encoder/encode_subsets.hpp"
#include "accrete/data/row_groups.hpp"
#include "accrete/data/take_rows.hpp"
#include "tests/data/columns.hpp"
#include "tests/data/sparse_tables.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::data::sparse_test {
namespace {

using Rows = std::vector<std::size_t>;

Table sparse_table(const SparseRows& rows) {
  Table table{"t", {}};
  table.add_sparse(rows);
  return table;
}

TEST(Sparse, TransposedTwiceIsTheSame) {
  const SparseRows rows = random_sparse(50, 20, 0.2), again = rows.transposed().transposed();
  EXPECT_EQ(again.starts, rows.starts);
  EXPECT_EQ(again.indices, rows.indices);
  EXPECT_EQ(again.values, rows.values);
  const SparseRows columns = rows.transposed();
  for (std::size_t r = 0; r < 50; ++r)
    for (std::size_t c = 0; c < 20; ++c) ASSERT_EQ(columns.at(c, r), rows.at(r, c));
}

TEST(Sparse, SelectsListedRowsInOrder) {
  const SparseRows rows = random_sparse(30, 10, 0.3);
  const Rows listed{7, 3, 3, 29};
  const SparseRows selected = rows.select(listed);
  ASSERT_EQ(selected.rows(), 4u);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t c = 0; c < 10; ++c) EXPECT_EQ(selected.at(i, c), rows.at(listed[i], c));
}

TEST(Sparse, ColumnsHaveTheNumbersOfTheMatrix) {
  const SparseRows rows = random_sparse(40, 8, 0.25);
  const Table table = sparse_table(rows);
  ASSERT_EQ(table.rows(), 40u);
  EXPECT_EQ(table.columns[5].name, "x5");
  for (std::size_t r = 0; r < 40; ++r)
    for (std::size_t c = 0; c < 8; ++c) EXPECT_EQ(table.columns[c].number(r), rows.at(r, c));
  for (const Rows& listed : {Rows{2, 5, 5, 39}, Rows{39, 0, 7}}) {
    const Table taken = take_rows(table, listed);
    ASSERT_EQ(taken.rows(), listed.size());
    for (std::size_t i = 0; i < listed.size(); ++i)
      for (std::size_t c = 0; c < 8; ++c) EXPECT_EQ(taken.columns[c].number(i), rows.at(listed[i], c));
  }
}

TEST(Sparse, RefusesNumbersThatAreNotFinite) {
  for (const auto& [value, what] : {std::pair{NAN, "NaN"}, {std::numeric_limits<float>::infinity(), "infinite"}}) {
    Table table{"t", {}};
    const SparseRows rows{.columns = 3, .starts = {0, 1, 2}, .indices = {0, 2}, .values = {1.0f, value}};
    EXPECT_EQ(thrown_message<core::DataError>([&] { table.add_sparse(rows); }),
              std::string("t: row 2 (counting from 1), column 'x2' is ") + what +
                  "; a sparse column holds finite numbers only");
  }
}

TEST(Sparse, ColumnsAreScaledAsDenseOnesAndNotShifted) {
  const Table table = sparse_table(random_sparse(500, 6, 0.3)), dense = densified(table);
  std::vector<double> weights(500, 1.0);
  for (std::size_t r = 0; r < 500; r += 3) weights[r] = 2.5;
  Rows rows;
  for (std::size_t r = 0; r < 400; ++r) rows.push_back(r);
  const auto sparse_fit = Encoder::fit(table, upto(6), {rows, weights}),
             dense_fit = Encoder::fit(dense, upto(6), {rows, weights});
  for (std::size_t c = 0; c < 6; ++c) {
    EXPECT_EQ(sparse_fit.inputs()[c].mean, 0.0);
    EXPECT_NEAR(sparse_fit.inputs()[c].scale, dense_fit.inputs()[c].scale, 1e-12);
    EXPECT_EQ(sparse_fit.columns()[c].width(), 1u);
  }
}

TEST(Sparse, ConstantColumnsAreIgnoredAndRareOnesKeptSmall) {
  SparseRows rows;
  rows.columns = 3;  // x0: always 2, x1: never, x2: once
  for (std::size_t r = 0; r < 1000; ++r) {
    rows.indices.push_back(0), rows.values.push_back(2.0f);
    if (r == 500) rows.indices.push_back(2), rows.values.push_back(3.0f);
    rows.starts.push_back(rows.values.size());
  }
  const Encoder encoder = fit_all(sparse_table(rows));
  EXPECT_EQ(encoder.inputs()[0].scale, no_spread);
  EXPECT_EQ(encoder.inputs()[1].scale, no_spread);
  EXPECT_NEAR(encoder.inputs()[2].scale, 3.0 * std::sqrt(0.01 * 0.99), 1e-12);
}

/// Dense and sparse columns, a category and bins in turn.
Table mixed_table(std::size_t rows) {
  Table table = sparse_table(random_sparse(rows, 4, 0.3));
  core::Rng rng(4, 0, core::Purpose::generator);
  Column number{.name = "n"}, category{.name = "c", .kind = Column::Kind::text};
  for (std::size_t l = 0; l < 30; ++l) category.levels.push_back("level " + std::to_string(l));
  for (std::size_t r = 0; r < rows; ++r) {
    number.numbers.push_back(rng.below(9) == 0 ? missing : static_cast<float>(rng.normal()));
    category.codes.push_back(static_cast<std::int32_t>(rng.below(30)));
  }
  table.columns.insert(table.columns.begin() + 1, std::move(number));
  table.columns.insert(table.columns.begin() + 3, std::move(category));
  return table;
}

TEST(Sparse, SubsetsHaveTheFeaturesOfTheEncoder) {
  core::Workers workers(2);
  for (const std::size_t bins : {0, 4, 40}) {
    const Table table = mixed_table(600);
    const Encoder encoder = fit_all(table, {.bins = bins});
    Rows train, test;
    for (std::size_t r = 0; r < 600; ++r) (r % 4 == 0 ? test : train).push_back(r);
    const std::span<const std::size_t> subsets[] = {train, test};
    for (const bool consumed : {false, true}) {
      Table copy = table;
      const auto found = encode_subsets(encoder, {copy, consumed ? &copy : nullptr}, subsets, workers);
      EXPECT_EQ(copy.columns.empty(), consumed);
      for (std::size_t s = 0; s < 2; ++s) {
        const core::TiledMatrix wanted = encoder.encode(table, subsets[s]);
        ASSERT_EQ(found[s].cols(), encoder.features());
        ASSERT_NE(found[s].sparse(), nullptr);
        EXPECT_EQ(found[s].sparse()->by_row.columns, 4u);
        std::vector<float> scratch(found[s].tile_rows());
        for (std::size_t f = 0; f < encoder.features(); ++f)
          for (std::size_t r = 0; r < subsets[s].size(); ++r) {
            const std::size_t t = found[s].tile_rows();
            // Binned columns are rounded to the grid of lookup tables.
            if (!found[s].source(f).is_sparse() && bins > 0) continue;
            ASSERT_EQ(found[s].at(r, f), wanted.at(r, f)) << f;
            if (!found[s].source(f).is_sparse()) continue;
            ASSERT_EQ(found[s].column(r / t, f, scratch.data())[r % t], wanted.at(r, f)) << f;
          }
      }
    }
  }
}

/// A model that was trained on dense columns shifts them, so its features are not sparse.
TEST(Sparse, ShiftedColumnsAreEncodedDense) {
  const Table table = sparse_table(random_sparse(100, 3, 0.4)), dense = densified(table);
  const Encoder encoder = fit_all(dense);
  EXPECT_EQ(sparse_inputs(encoder, table), (std::vector<bool>{false, false, false}));
  const core::TiledMatrix found = encoder.encode(table), wanted = encoder.encode(dense);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(column_of(found, c), column_of(wanted, c));
}

TEST(Sparse, GroupsAreThoseOfTheDenseColumn) {
  Column sparse{.name = "x"};
  sparse.sparse = SparseNumbers{.size = 5, .rows = {1, 3}, .values = {2.0f, -1.0f}};
  const Column dense{.name = "x", .numbers = {0.0f, 2.0f, 0.0f, -1.0f, 0.0f}};
  EXPECT_EQ(read_groups(sparse).names, read_groups(dense).names);
  EXPECT_EQ(read_groups(sparse).of_row, read_groups(dense).of_row);
}

}  // namespace
}  // namespace accrete::data::sparse_test
