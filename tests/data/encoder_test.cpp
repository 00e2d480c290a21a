#include "accrete/data/encoder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <numeric>

#include "accrete/core/error.hpp"
#include "accrete/core/random.hpp"

namespace accrete::data {
namespace {

constexpr float gap = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
using Floats = std::vector<float>;

Column numeric(std::string name, std::vector<float> numbers) {
  return {std::move(name), Column::Kind::numeric, std::move(numbers), {}, {}};
}
Column text(std::string name, std::vector<std::string> levels, std::vector<std::int32_t> codes) {
  return {std::move(name), Column::Kind::text, {}, std::move(codes), std::move(levels)};
}
std::vector<std::size_t> upto(std::size_t n) {
  std::vector<std::size_t> all(n);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}
Encoder fit_all(const Table& table, const EncoderOptions& options = {}) {
  return Encoder::fit(table, upto(table.columns.size()), {upto(table.rows())}, options);
}
std::vector<float> column_of(const core::TiledMatrix& m, std::size_t c) {
  std::vector<float> values;
  for (std::size_t r = 0; r < m.rows(); ++r) values.push_back(m.at(r, c));
  return values;
}
std::string message_of(const Encoder& encoder, const Table& table) {
  try {
    encoder.encode(table);
  } catch (const core::DataError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Encoder, StandardisesToMeanZeroAndPopulationSdOne) {
  core::Rng rng(1, 0, core::Purpose::generator);
  std::vector<float> values;
  for (int i = 0; i < 1000; ++i) values.push_back(static_cast<float>(1e4 + 3.0 * rng.normal()));
  const Table table{"t", {numeric("a", values)}};
  const auto encoded = column_of(fit_all(table).encode(table), 0);
  double sum = 0.0, squares = 0.0;
  for (const float x : encoded) sum += x, squares += x * x;
  EXPECT_NEAR(sum / 1000.0, 0.0, 1e-6);
  EXPECT_NEAR(squares / 1000.0, 1.0, 1e-6);
}

TEST(Encoder, KnownMeanAndScale) {
  const Table table{"t", {numeric("a", {1, 2, 3, 4, gap})}};
  const Input input = fit_all(table).inputs()[0];
  EXPECT_DOUBLE_EQ(input.mean, 2.5);
  EXPECT_DOUBLE_EQ(input.scale, std::sqrt(1.25));
  EXPECT_TRUE(input.indicator);
}

TEST(Encoder, LearnsFromTheGivenRowsOnly) {
  const Table table{"t", {numeric("a", {1, 3, 1000, gap}), text("b", {"z", "y", "x"}, {0, 1, 2, -1})}};
  const std::size_t columns[] = {0, 1}, rows[] = {0, 1};
  const Encoder encoder = Encoder::fit(table, columns, {rows});
  EXPECT_DOUBLE_EQ(encoder.inputs()[0].mean, 2.0);
  EXPECT_DOUBLE_EQ(encoder.inputs()[0].scale, 1.0);
  EXPECT_FALSE(encoder.inputs()[0].indicator);
  EXPECT_EQ(encoder.inputs()[1].levels, (std::vector<std::string>{"y", "z"}));
  EXPECT_FALSE(encoder.inputs()[1].indicator);
  const auto encoded = encoder.encode(table);
  EXPECT_EQ(column_of(encoded, 0), (std::vector<float>{-1, 1, 998, 0}));
  EXPECT_EQ(column_of(encoded, 1), (std::vector<float>{-1, 1, -1, -1}));
  EXPECT_EQ(column_of(encoded, 2), (std::vector<float>{1, -1, -1, -1}));
}

TEST(Encoder, MeansDeviationsAndSharesAreWeighted) {
  const Table table{"t", {numeric("a", {1, 3, gap, 1000}), text("b", {"z", "y", "x"}, {0, 1, -1, 2})}};
  const std::size_t columns[] = {0, 1}, rows[] = {0, 1, 2};
  const double weights[] = {1, 3, 2, 0};
  const Encoder encoder = Encoder::fit(table, columns, {rows, weights});
  EXPECT_DOUBLE_EQ(encoder.inputs()[0].mean, 2.5);
  EXPECT_DOUBLE_EQ(encoder.inputs()[0].scale, std::sqrt(0.75));
  EXPECT_EQ(encoder.inputs()[1].levels, (std::vector<std::string>{"y", "z"}));
  EXPECT_EQ(encoder.inputs()[1].shares, (std::vector<double>{0.5, 1.0 / 6.0}));
}

TEST(Encoder, AConstantColumnIsConstantUnderAnyWeights) {
  const Table table{"t", {numeric("a", {0.1f, 0.1f, 0.1f, gap})}};
  const std::size_t columns[] = {0}, rows[] = {0, 1, 2, 3};
  const double weights[] = {0.3, 0.7, 1e-7, 1};
  const Encoder encoder = Encoder::fit(table, columns, {rows, weights});
  EXPECT_EQ(encoder.inputs()[0].mean, 0.1f);
  EXPECT_EQ(column_of(encoder.encode(table), 0), (std::vector<float>{0, 0, 0, 0}));
}

TEST(Encoder, OneHotsAreStandardisedOverTheTrainingRows) {
  Table table{"t", {text("c", {"rare", "common", "half"}, {})}};
  for (int r = 0; r < 200; ++r) table.columns[0].codes.push_back(r == 0 ? 0 : r < 100 ? 1 : 2);
  const Encoder encoder = fit_all(table);
  EXPECT_EQ(encoder.inputs()[0].shares, (std::vector<double>{0.495, 0.5, 0.005}));
  const auto encoded = encoder.encode(table);
  for (std::size_t f = 0; f < 3; ++f) {
    double sum = 0.0, squares = 0.0;
    for (float x : column_of(encoded, f)) sum += x, squares += double(x) * x;
    EXPECT_NEAR(sum / 200.0, 0.0, 1e-6);
    EXPECT_NEAR(squares / 200.0, 1.0, 1e-6);
  }
}

TEST(Encoder, ConstantAndEmptyColumnsEncodeToZero) {
  const Table table{"t",
                    {numeric("c", {0.1f, 0.1f, 0.1f}), numeric("e", {gap, gap, gap}), text("n", {}, {-1, -1, -1})}};
  const Encoder encoder = fit_all(table);
  EXPECT_EQ(encoder.inputs()[1].mean, 0.0);
  EXPECT_EQ(encoder.feature_names(), (std::vector<std::string>{"c", "e", "n missing"}));
  const auto encoded = encoder.encode(table);
  EXPECT_EQ(column_of(encoded, 0), (std::vector<float>{0, 0, 0}));
  EXPECT_EQ(column_of(encoded, 1), (std::vector<float>{0, 0, 0}));
  EXPECT_EQ(column_of(encoded, 2), (std::vector<float>{1, 1, 1}));
}

TEST(Encoder, AColumnWithoutSpreadStaysSilentWhateverComesLater) {
  const Encoder encoder =
      fit_all({"t", {numeric("c", {5, 5, 5}), numeric("e", {gap, gap, gap}), text("s", {"only"}, {0, 0, 0})}});
  const auto encoded = encoder.encode(
      {"u", {numeric("c", {6, 1e4f, gap}), numeric("e", {-3, 1e6f, gap}), text("s", {"other", "only"}, {0, 1, -1})}});
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t f = 0; f < encoder.features(); ++f) EXPECT_LT(std::abs(encoded.at(r, f)), 1e-15f) << r << ' ' << f;
}

TEST(Encoder, OneHotWithIndicatorAndNames) {
  const Table table{"t", {text("colour", {"red", "blue"}, {0, 1, -1, 0}), numeric("age", {1, gap, 1, 1})}};
  const Encoder encoder = fit_all(table, {.standardise = false});
  EXPECT_EQ(encoder.features(), 5u);
  EXPECT_EQ(encoder.feature_names(),
            (std::vector<std::string>{"colour=blue", "colour=red", "colour missing", "age", "age missing"}));
  const auto encoded = encoder.encode(table);
  EXPECT_EQ(column_of(encoded, 0), (std::vector<float>{0, 1, 0, 0}));
  EXPECT_EQ(column_of(encoded, 1), (std::vector<float>{1, 0, 0, 1}));
  EXPECT_EQ(column_of(encoded, 2), (std::vector<float>{0, 0, 1, 0}));
  EXPECT_EQ(column_of(encoded, 4), (std::vector<float>{0, 1, 0, 0}));
}

TEST(Encoder, UnseenLevelIsAllZeroAndNotMissing) {
  const Encoder encoder = fit_all({"t", {text("c", {"a", "b"}, {0, 1, -1})}}, {.standardise = false});
  const auto encoded = encoder.encode({"u", {text("c", {"new", "b"}, {0, 1})}});
  EXPECT_EQ(column_of(encoded, 0), (std::vector<float>{0, 0}));
  EXPECT_EQ(column_of(encoded, 1), (std::vector<float>{0, 1}));
  EXPECT_EQ(column_of(encoded, 2), (std::vector<float>{0, 0}));
}

TEST(Encoder, UnstandardisedKeepsTheUnits) {
  const Table table{"t", {numeric("a", {5, 7, gap})}};
  EXPECT_EQ(column_of(fit_all(table, {.standardise = false}).encode(table), 0), (std::vector<float>{5, 7, 0}));
}

TEST(Encoder, BinsByHand) {
  const Table table{"t", {numeric("age", {1, 2, 3, 4, 5, 6, 7, 8, gap}), numeric("sex", {0, 1, 0, 1, 0, 1, 0, 1, 0})}};
  const Encoder raw = fit_all(table, {.standardise = false, .bins = 2});
  EXPECT_EQ(raw.feature_names(), (std::vector<std::string>{"age", "age 1..4", "age 4..8", "age missing", "sex"}));
  const auto parts = raw.encode({"u", {numeric("age", {-9, 1, 2.5, 5, 8, 99, gap}), numeric("sex", Floats(7))}});
  EXPECT_EQ(column_of(parts, 1), (Floats{0, 0, 0.5f, 1, 1, 1, 0}));
  EXPECT_EQ(column_of(parts, 2), (Floats{0, 0, 0, 0.25f, 1, 1, 0}));
  EXPECT_EQ(column_of(parts, 3), (Floats{0, 0, 0, 0, 0, 0, 1}));

  const Encoder encoder = fit_all(table, {.bins = 2});
  EXPECT_EQ(encoder.inputs()[0].mean, fit_all(table).inputs()[0].mean);
  EXPECT_EQ(encoder.inputs()[1], fit_all(table).inputs()[1]) << "two values are a line already";
  const auto encoded = encoder.encode(table);
  for (std::size_t f = 0; f < 3; ++f) {
    double sum = 0.0, squares = 0.0;
    for (const float x : column_of(encoded, f)) sum += x, squares += double{x} * x;
    EXPECT_NEAR(sum, 0.0, 1e-6) << f;
    EXPECT_NEAR(squares / 8.0, 1.0, 1e-6) << f;
    EXPECT_EQ(encoded.at(8, f), 0.0f) << "missing is the mean";
  }
}

TEST(Encoder, ColumnsAreMatchedByName) {
  const Encoder encoder = fit_all({"t", {numeric("a", {-1, 1}), numeric("b", {-2, 2})}});
  const auto encoded = encoder.encode({"u", {numeric("b", {4}), numeric("other", {9}), numeric("a", {3})}});
  EXPECT_EQ(encoded.at(0, 0), 3.0f);
  EXPECT_EQ(encoded.at(0, 1), 2.0f);
}

TEST(Encoder, NumbersWhereTheModelHasText) {
  const Encoder encoder =
      fit_all({"t", {text("c", {"3", "0.1", "1000000", "x", "007", "7"}, {0, 1, 2, 3, 4, 5})}}, {.standardise = false});
  ASSERT_EQ(encoder.inputs()[0].levels, (std::vector<std::string>{"0.1", "007", "1000000", "3", "7", "x"}));
  const auto encoded = encoder.encode({"u", {numeric("c", {3, 0.1f, 1e6f, 7, 8, gap})}});
  const std::size_t expected[] = {3, 0, 2, 4, 99, 99};
  for (std::size_t r = 0; r < 6; ++r)
    for (std::size_t l = 0; l < 6; ++l) EXPECT_EQ(encoded.at(r, l), l == expected[r] ? 1.0f : 0.0f) << r << ' ' << l;
}

TEST(Encoder, ALevelSpeltAsTheSameNumberIsThatLevel) {
  const Encoder encoder = fit_all({"t", {text("c", {"1.0", "2", "x", "03"}, {0, 1, 2, 3})}}, {.standardise = false});
  ASSERT_EQ(encoder.inputs()[0].levels, (std::vector<std::string>{"03", "1.0", "2", "x"}));
  const auto encoded = encoder.encode({"u", {text("c", {"1", "2.0", "x", "3", "4", "y"}, {0, 1, 2, 3, 4, 5})}});
  const std::size_t expected[] = {1, 2, 3, 0, 99, 99};
  for (std::size_t r = 0; r < 6; ++r)
    for (std::size_t l = 0; l < 4; ++l) EXPECT_EQ(encoded.at(r, l), l == expected[r] ? 1.0f : 0.0f) << r << ' ' << l;
}

TEST(Encoder, TextWhereTheModelHasNumbers) {
  const Encoder encoder = fit_all({"t", {numeric("age", {-1, 1, gap})}});
  EXPECT_EQ(message_of(encoder, {"x.csv", {text("age", {"3", "old"}, {0, -1, 1, 1})}}),
            "x.csv: row 3, column 'age': 'old' is not a number; the model needs numbers here");
  // All gaps, or text that spells numbers, can be worked with.
  const auto gaps = encoder.encode({"x.csv", {text("age", {}, {-1, -1})}});
  EXPECT_EQ(column_of(gaps, 0), (std::vector<float>{0, 0}));
  EXPECT_EQ(column_of(gaps, 1), (std::vector<float>{1, 1}));
  EXPECT_EQ(encoder.encode({"x.csv", {text("age", {"3", "old"}, {0, 1})}}, upto(1)).at(0, 0), 3.0f);
}

TEST(Encoder, ErrorsNameThePlace) {
  const Encoder encoder = fit_all({"t", {numeric("age", {-1, 1}), text("c", {"1"}, {0, 0})}});
  EXPECT_EQ(message_of(encoder, {"x.csv", {numeric("b", {1})}}), "x.csv: column 'age' is missing; the model needs it");
  EXPECT_EQ(message_of(encoder, {"x.csv", {numeric("age", {1, -infinity}), numeric("c", {1, 1})}}),
            "x.csv: row 2, column 'age' is infinite; only finite numbers can be used");
  EXPECT_EQ(message_of(encoder, {"x.csv", {numeric("age", {1, 1}), numeric("c", {1, infinity})}}),
            "x.csv: row 2, column 'c' is infinite; only finite numbers can be used");
  EXPECT_THROW(fit_all({"t", {numeric("a", {1, infinity})}}), core::DataError);
}

TEST(Encoder, PartsOfAModelFileAreChecked) {
  for (const double scale : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    Input input;
    input.scale = scale;
    EXPECT_THROW(Encoder({input}), core::DataError) << scale;
  }
  Input input;
  input.mean = HUGE_VAL;
  EXPECT_THROW(Encoder({input}), core::DataError);
}

/// Three numeric and two text columns with gaps, over several tiles.
Table random_table(std::size_t rows, std::uint64_t seed) {
  core::Rng rng(seed, 0, core::Purpose::generator);
  Table table{"r",
              {numeric("a", {}), text("s", {"q", "p", "r"}, {}), numeric("b", {}), text("u", {"1", "2"}, {}),
               numeric("c", {})}};
  for (std::size_t r = 0; r < rows; ++r)
    for (Column& column : table.columns) {
      const bool missing = column.name != "c" && rng.uniform() < 0.1;
      if (column.kind == Column::Kind::numeric)
        column.numbers.push_back(missing ? gap : static_cast<float>(5.0 + rng.normal()));
      else
        column.codes.push_back(missing ? -1 : static_cast<std::int32_t>(rng.below(column.levels.size())));
    }
  return table;
}

TEST(Encoder, RowByRowEqualsTheTable) {
  const Table table = random_table(1000, 3);
  for (const std::size_t bins : {0, 7}) {
    const Encoder encoder = fit_all(table, {.bins = bins});
    const auto encoded = encoder.encode(table);
    std::vector<float> raw(5), features(encoder.features());
    for (std::size_t r = 0; r < table.rows(); ++r) {
      for (std::size_t c = 0; c < 5; ++c) {
        const Column& column = table.columns[c];
        const auto& levels = encoder.inputs()[c].levels;
        if (column.kind == Column::Kind::numeric)
          raw[c] = column.numbers[r];
        else if (column.codes[r] < 0)
          raw[c] = gap;
        else
          raw[c] = static_cast<float>(std::find(levels.begin(), levels.end(), column.levels[column.codes[r]]) -
                                      levels.begin());
      }
      encoder.encode_row(raw, features);
      for (std::size_t f = 0; f < features.size(); ++f) ASSERT_EQ(features[f], encoded.at(r, f)) << r << ' ' << f;
    }
  }
}

TEST(Encoder, ListedRowsEqualSelectedRows) {
  const Table table = random_table(2000, 4);
  const Encoder encoder = fit_all(table, {.bins = 4});
  std::vector<std::size_t> rows{1999, 3, 3};
  for (std::size_t r = 0; r < 2000; r += 2) rows.push_back(r);
  const auto listed = encoder.encode(table, rows), selected = encoder.encode(table).select_rows(rows);
  ASSERT_EQ(listed.rows(), rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t f = 0; f < encoder.features(); ++f) ASSERT_EQ(listed.at(r, f), selected.at(r, f));
  EXPECT_EQ(encoder.encode(table, {}).rows(), 0u);
}

TEST(Encoder, OddRowsByHand) {
  const Encoder encoder =
      fit_all({"t", {numeric("a", {-1, 1}), text("c", {"x", "y"}, {0, 1})}}, {.standardise = false});
  std::vector<float> out(3);
  for (const float unseen : {-1.0f, 2.0f, 0.5f, infinity, gap}) {
    encoder.encode_row(std::vector<float>{1.0f, unseen}, out);
    EXPECT_EQ(out, (std::vector<float>{1, 0, 0})) << unseen;
  }
  EXPECT_THROW(encoder.encode_row(std::vector<float>{infinity, 0.0f}, out), core::DataError);
  EXPECT_THROW(encoder.encode_row(std::vector<float>{1.0f}, out), core::UsageError);
}

}  // namespace
}  // namespace accrete::data
