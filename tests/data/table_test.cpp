#include "accrete/data/table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "accrete/core/error.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::data::table_test {
namespace {

Table three_columns() {
  Table table{"t.csv", std::vector<Column>(3)};
  table.columns[0].name = "age";
  table.columns[1].name = "2";
  table.columns[2].name = "height";
  return table;
}

TEST(Table, FindsByNameAndRequiresByNameOrIndex) {
  const Table table = three_columns();
  EXPECT_EQ(table.find("height"), 2u);
  EXPECT_EQ(table.find("0"), std::nullopt);
  EXPECT_EQ(table.require("0"), 0u);
  EXPECT_EQ(table.require("-1"), 2u);
  EXPECT_EQ(table.require("-3"), 0u);
  EXPECT_EQ(table.require("2"), 1u) << "a name wins over an index";
}

TEST(Table, RejectsAnUnknownColumnAndListsTheColumns) {
  for (const char* wrong : {"mass", "3", "-4", "", "1x", "99999999999999999999"}) {
    EXPECT_EQ(thrown_message<core::UsageError>([&] { three_columns().require(wrong); }),
              "no column '" + std::string(wrong) + "' in t.csv; columns: age, 2, height");
  }
}

TEST(Table, SuggestsTheColumnThatWasMeant) {
  const std::string said = thrown_message<core::UsageError>([] { three_columns().require("heigth"); });
  EXPECT_TRUE(said.ends_with("; did you mean 'height'?")) << said;
}

TEST(Table, ListsOnlyTheFirstColumnsOfAWideTable) {
  const std::vector<float> row(25, 0.0f);
  const Table table = Table::from_rows({row.data(), 1, 25});
  const std::string said = thrown_message<core::UsageError>([&] { table.require("nothing"); });
  EXPECT_NE(said.find("x18, x19, and 5 more"), std::string::npos) << said;
}

TEST(Table, BuildsNamedColumnsFromRows) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> values{1, 2, nan, 4, 5, 6};
  const Table table = Table::from_rows({values.data(), 3, 2});
  ASSERT_EQ(table.columns.size(), 2u);
  EXPECT_EQ(table.rows(), 3u);
  EXPECT_EQ(table.columns[0].name, "x0");
  EXPECT_EQ(table.columns[1].name, "x1");
  EXPECT_EQ(table.columns[1].numbers, (std::vector<float>{2, 4, 6}));
  EXPECT_EQ(table.columns[0].numbers[0], 1);
  EXPECT_TRUE(std::isnan(table.columns[0].numbers[1]));

  const std::vector<std::string> names{"a", "b"};
  EXPECT_EQ(Table::from_rows({values.data(), 3, 2}, names).columns[1].name, "b");
  EXPECT_THROW(Table::from_rows({values.data(), 2, 3}, names), core::UsageError);
}

TEST(Table, RejectsAnInfinityInRowsAndNamesItsPlace) {
  const std::vector<float> values{1, 2, 3, -std::numeric_limits<float>::infinity()};
  EXPECT_EQ(thrown_message<core::DataError>([&] {
              Table::from_rows({values.data(), 2, 2});
            }),
            "data: row 2 (counting from 1), column 'x1': the value is infinite");
}

TEST(ParseNumber, AcceptsCommonForms) {
  const std::vector<std::pair<const char*, double>> known{{"1", 1},
                                                          {"-1.5", -1.5},
                                                          {"+.5", 0.5},
                                                          {"1e-3", 1e-3},
                                                          {"1E+6", 1e6},
                                                          {"  7\t", 7},
                                                          {"5.", 5},
                                                          {"+.5e-3", 0.5e-3},
                                                          {"0", 0},
                                                          {"-.25", -0.25},
                                                          {"007", 7},
                                                          {"1e308", 1e308},
                                                          {"4.9e-324", 4.9e-324},
                                                          {"0.1", 0.1},
                                                          {"12\r", 12},
                                                          {"0e999", 0},
                                                          {"123456789012345678", 123456789012345678.0}};
  for (const auto& [text, value] : known) EXPECT_EQ(parse_number(text), value) << text;
}

TEST(ParseNumber, RejectsOtherText) {
  for (const char* text : {"", " ", "a", "1a", "1 2", "+-1", "--1", "++1", ".", "-", "+", "e5", "1e", "1,5", "0x10",
                           "nan(1)", "infinit", "1_000", "$1"})
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
}

TEST(ParseNumber, ParsesInfinityNanAndOutOfRangeNumbers) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const char* text : {"inf", "INF", "Infinity", "+inf", "1e400", "1e99999999999999999999"})
    EXPECT_EQ(parse_number(text), inf) << text;
  for (const char* text : {"-inf", "-1e400"}) EXPECT_EQ(parse_number(text), -inf) << text;
  for (const char* text : {"1e-400", "-1e-400", "1e-99999999999999999999"}) EXPECT_EQ(parse_number(text), 0.0) << text;
  // Mantissa and exponent decide together.
  const std::string tiny = "0." + std::string(400, '0') + "1", huge = "1" + std::string(400, '0');
  for (const char* exponent : {"e50", "e+50", "E50"}) EXPECT_EQ(parse_number(tiny + exponent), 0.0) << exponent;
  for (const char* exponent : {"e-50", "E-50"}) EXPECT_EQ(parse_number(huge + exponent), inf) << exponent;
  EXPECT_EQ(parse_number(tiny + "e401"), 1.0);
  EXPECT_EQ(parse_number(huge + "e-400"), 1.0);
  EXPECT_EQ(parse_number("1" + std::string(400, '0')), inf);
  EXPECT_EQ(parse_number("0." + std::string(400, '0') + "1"), 0.0);
  EXPECT_EQ(parse_number("0." + std::string(400, '0') + "1e800"), inf);
  EXPECT_EQ(parse_number("0." + std::string(800, '0') + "1e300"), 0.0);
  EXPECT_EQ(parse_number("1" + std::string(800, '0') + "e-300"), inf);
  for (const char* text : {"nan", "NaN", "-nan"}) {
    ASSERT_TRUE(parse_number(text)) << text;
    EXPECT_TRUE(std::isnan(*parse_number(text))) << text;
  }
}

TEST(IsMissing, MatchesTheListedWordsInAnyCase) {
  for (const char* text : {"", "  ", "\t", "NA", "na", "N/A", "n/a", "?", " ? ", "nan", "NaN", "NULL", "null", "None"})
    EXPECT_TRUE(is_missing(text)) << text;
  for (const char* text : {"0", "no", "-", ".", "nana", "nulls", "n", "??", "missing", "N A", "n\x4f\x41"})
    EXPECT_FALSE(is_missing(text)) << text;
}

}  // namespace
}  // namespace accrete::data::table_test
