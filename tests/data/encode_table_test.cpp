// Encoder on tables and single rows that differ from the training table.
#include "accrete/data/encoder.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "accrete/core/error.hpp"
#include "accrete/core/random.hpp"
#include "tests/data/columns.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::data::encode_table_test {
namespace {

std::string refusal(const Encoder& encoder, const Table& table) {
  return thrown_message<core::DataError>([&] { encoder.encode(table); });
}

TEST(Encoder, MatchesColumnsByName) {
  const Encoder encoder = fit_all({"t", {numeric("a", {-1, 1}), numeric("b", {-2, 2})}});
  const auto encoded = encoder.encode({"u", {numeric("b", {4}), numeric("other", {9}), numeric("a", {3})}});
  EXPECT_EQ(encoded.at(0, 0), 3.0f);
  EXPECT_EQ(encoded.at(0, 1), 2.0f);
}

TEST(Encoder, ReadsNumbersAsTheLevelsThatSpellThem) {
  const Encoder encoder =
      fit_all({"t", {text("c", {"3", "0.1", "1000000", "x", "007", "7"}, {0, 1, 2, 3, 4, 5})}}, {.standardise = false});
  ASSERT_EQ(encoder.inputs()[0].levels, (std::vector<std::string>{"0.1", "007", "1000000", "3", "7", "x"}));
  const auto encoded = encoder.encode({"u", {numeric("c", {3, 0.1f, 1e6f, 7, 8, missing})}});
  const std::size_t expected[] = {3, 0, 2, 4, 99, 99};
  for (std::size_t r = 0; r < 6; ++r)
    for (std::size_t l = 0; l < 6; ++l) EXPECT_EQ(encoded.at(r, l), l == expected[r] ? 1.0f : 0.0f) << r << ' ' << l;
}

TEST(Encoder, ReadsATextThatIsTheSameNumberAsThatLevel) {
  const Encoder encoder = fit_all({"t", {text("c", {"1.0", "2", "x", "03"}, {0, 1, 2, 3})}}, {.standardise = false});
  ASSERT_EQ(encoder.inputs()[0].levels, (std::vector<std::string>{"03", "1.0", "2", "x"}));
  const auto encoded = encoder.encode({"u", {text("c", {"1", "2.0", "x", "3", "4", "y"}, {0, 1, 2, 3, 4, 5})}});
  const std::size_t expected[] = {1, 2, 3, 0, 99, 99};
  for (std::size_t r = 0; r < 6; ++r)
    for (std::size_t l = 0; l < 4; ++l) EXPECT_EQ(encoded.at(r, l), l == expected[r] ? 1.0f : 0.0f) << r << ' ' << l;
}

TEST(Encoder, ReadsTextThatSpellsNumbers) {
  const Encoder encoder = fit_all({"t", {numeric("age", {-1, 1, missing})}});
  EXPECT_EQ(refusal(encoder, {"x.csv", {text("age", {"3", "old"}, {0, -1, 1, 1})}}),
            "x.csv: row 3 (counting from 1), column 'age': 'old' is not a number; the model needs numbers here");
  // Missing values and text that spells numbers are accepted.
  const auto empty = encoder.encode({"x.csv", {text("age", {}, {-1, -1})}});
  EXPECT_EQ(column_of(empty, 0), (std::vector<float>{0, 0}));
  EXPECT_EQ(column_of(empty, 1), (std::vector<float>{1, 1}));
  EXPECT_EQ(encoder.encode({"x.csv", {text("age", {"3", "old"}, {0, 1})}}, upto(1)).at(0, 0), 3.0f);
}

TEST(Encoder, NamesRowAndColumnInErrors) {
  const Encoder encoder = fit_all({"t", {numeric("age", {-1, 1}), text("c", {"1"}, {0, 0})}});
  EXPECT_EQ(refusal(encoder, {"x.csv", {numeric("b", {1})}}), "x.csv: column 'age' is missing; the model needs it");
  EXPECT_EQ(refusal(encoder, {"x.csv", {numeric("age", {1, -infinity}), numeric("c", {1, 1})}}),
            "x.csv: row 2 (counting from 1), column 'age' is infinite; only finite numbers can be used");
  EXPECT_EQ(refusal(encoder, {"x.csv", {numeric("age", {1, 1}), numeric("c", {1, infinity})}}),
            "x.csv: row 2 (counting from 1), column 'c' is infinite; only finite numbers can be used");
  EXPECT_THROW(fit_all({"t", {numeric("a", {1, infinity})}}), core::DataError);
}

/// Three numeric and two text columns with missing values, over several tiles.
Table random_table(std::size_t rows, std::uint64_t seed) {
  core::Rng rng(seed, 0, core::Purpose::generator);
  Table table{"r",
              {numeric("a", {}), text("s", {"q", "p", "r"}, {}), numeric("b", {}), text("u", {"1", "2"}, {}),
               numeric("c", {})}};
  for (std::size_t r = 0; r < rows; ++r)
    for (Column& column : table.columns) {
      const bool is_missing = column.name != "c" && rng.uniform() < 0.1;
      if (column.kind == Column::Kind::numeric)
        column.numbers.push_back(is_missing ? missing : static_cast<float>(5.0 + rng.normal()));
      else
        column.codes.push_back(is_missing ? -1 : static_cast<std::int32_t>(rng.below(column.levels.size())));
    }
  return table;
}

TEST(Encoder, EncodesASingleRowToTheBitsOfTheTable) {
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
          raw[c] = missing;
        else
          raw[c] = static_cast<float>(std::find(levels.begin(), levels.end(), column.levels[column.codes[r]]) -
                                      levels.begin());
      }
      encoder.encode_row(raw, features);
      for (std::size_t f = 0; f < features.size(); ++f) ASSERT_EQ(features[f], encoded.at(r, f)) << r << ' ' << f;
    }
  }
}

TEST(Encoder, EncodesASingleRowOfNumbersWithGaps) {
  const Table table{"t", {numeric("a", {-1, missing, 1}), numeric("b", {missing, 2, 3})}};
  const Encoder encoder = fit_all(table, {});
  const auto encoded = encoder.encode(table);
  ASSERT_EQ(encoder.features(), 4u) << "a number and a gap flag each";
  std::vector<float> features(4);
  for (std::size_t r = 0; r < 3; ++r) {
    encoder.encode_row(std::vector{table.columns[0].numbers[r], table.columns[1].numbers[r]}, features);
    for (std::size_t f = 0; f < 4; ++f) EXPECT_EQ(features[f], encoded.at(r, f)) << r << ' ' << f;
  }
}

TEST(Encoder, EncodesListedRowsInTheirOrder) {
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

TEST(Encoder, EncodesUnusualSingleRows) {
  const Encoder encoder =
      fit_all({"t", {numeric("a", {-1, 1}), text("c", {"x", "y"}, {0, 1})}}, {.standardise = false});
  std::vector<float> out(3);
  for (const float unseen : {-1.0f, 2.0f, 0.5f, infinity, missing}) {
    encoder.encode_row(std::vector<float>{1.0f, unseen}, out);
    EXPECT_EQ(out, (std::vector<float>{1, 0, 0})) << unseen;
  }
  EXPECT_THROW(encoder.encode_row(std::vector<float>{infinity, 0.0f}, out), core::DataError);
  EXPECT_THROW(encoder.encode_row(std::vector<float>{1.0f}, out), core::UsageError);
  const Encoder numbers = fit_all({"t", {numeric("a", {-1, 1}), numeric("b", {-1, 1})}}, {});
  std::vector<float> both(2);
  EXPECT_THROW(numbers.encode_row(std::vector<float>{0.0f, infinity}, both), core::DataError);
}

}  // namespace
}  // namespace accrete::data::encode_table_test
