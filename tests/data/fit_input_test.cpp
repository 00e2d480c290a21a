// Rare levels of categories.

#include "accrete/data/encoder/fit_input.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/data/columns.hpp"

namespace accrete::data::fit_input_test {
namespace {

using Counts = std::vector<std::size_t>;

/// A category in which level "l00", "l01", ... has the given number of rows. The table lists the levels in reverse.
Table category(const Counts& rows_of) {
  Table table{"t", {text("c", {}, {})}};
  Column& column = table.columns[0];
  for (std::size_t l = rows_of.size(); l-- > 0;) {
    column.codes.insert(column.codes.end(), rows_of[l], static_cast<std::int32_t>(column.levels.size()));
    column.levels.push_back(fmt::format("l{:02}", l));
  }
  return table;
}

Input fit(const Table& table, std::span<const double> weights = {}) {
  const auto rows = upto(table.rows());
  return fit_input(table, table.columns[0], {rows, weights}, {});
}

/// The given counts, then levels of `usual` rows up to `levels` levels.
Counts filled(Counts first, std::size_t levels, std::size_t usual) {
  first.resize(levels, usual);
  return first;
}

TEST(FitInput, KeepsRareLevelsAmongFewerThan24) {
  const Input input = fit(category(filled({1, 2, 4}, 23, 50)));
  ASSERT_EQ(input.levels.size(), 23u);
  EXPECT_TRUE(std::ranges::is_sorted(input.levels));
  const double rows[] = {1.0, 2.0, 4.0};
  for (std::size_t l = 0; l < 3; ++l) EXPECT_DOUBLE_EQ(input.shares[l], rows[l] / 1007.0);
}

TEST(FitInput, DropsLevelsOfFewerThanFiveRowsAmong24) {
  const Input input = fit(category(filled({1, 5, 4, 6}, 24, 50)));
  ASSERT_EQ(input.levels.size(), 22u);
  EXPECT_TRUE(std::ranges::is_sorted(input.levels));
  EXPECT_EQ(input.levels[0], "l01");
  EXPECT_EQ(input.levels[1], "l03");
  EXPECT_DOUBLE_EQ(input.shares[2], 50.0 / 1016.0) << "a share of all rows, those of dropped levels among them";
}

TEST(FitInput, ScalesRareLevelsAsIfTheyHadOnePerCentOfTheRows) {
  const Input input = fit(category(filled({10, 20, 30}, 24, 100)));
  EXPECT_EQ(input.shares[0], 0.01);
  EXPECT_EQ(input.shares[1], 0.01);
  EXPECT_DOUBLE_EQ(input.shares[2], 30.0 / 2160.0);
}

TEST(FitInput, CountsTheWeightOfRareLevelsInRowsOfMeanWeight) {
  const Table table = category(filled({5, 4}, 24, 50));
  const std::vector<double> light(table.rows(), 0.125), heavy(table.rows(), 8.0);
  EXPECT_EQ(fit(table, light).levels.size(), 23u) << "weights of other units";
  EXPECT_EQ(fit(table, heavy).levels.size(), 24u) << "each row is eight merged ones";
}

/// With weights above 1, a row of weight 5 is enough.
TEST(FitInput, KeepsThe60000MostFrequentLevels) {
  constexpr std::size_t levels = 60'003;
  const Table table = category(Counts(levels, 1));
  std::vector<double> weights(levels, 6.0);
  for (const std::size_t r : {7u, 30'000u, 60'002u}) weights[r] = 5.0;
  const Input input = fit(table, weights);
  ASSERT_EQ(input.levels.size(), 60'000u);
  const std::set<std::string> kept(input.levels.begin(), input.levels.end());
  for (const std::size_t r : {7u, 30'000u, 60'002u}) EXPECT_FALSE(kept.contains(table.columns[0].levels[r])) << r;
}

TEST(FitInput, EncodesADroppedLevelAsAnUnseenOne) {
  const Table table = category(filled({1}, 24, 20));
  const Encoder encoder = fit_all(table);
  const auto encoded = encoder.encode({"u", {text("c", {"l00", "never seen", "l01"}, {0, 1, 2})}});
  EXPECT_EQ(encoder.features(), 23u);
  for (std::size_t f = 0; f < encoder.features(); ++f) EXPECT_EQ(encoded.at(0, f), encoded.at(1, f)) << f;
  EXPECT_GT(encoded.at(2, 0), encoded.at(0, 0));
}

}  // namespace
}  // namespace accrete::data::fit_input_test
