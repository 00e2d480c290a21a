#include "accrete/io/csv.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "accrete/core/error.hpp"
#include "accrete/core/random.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::io::csv_test {
namespace {

using data::Column;
using data::Table;
using Strings = std::vector<std::string>;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

Table parse(std::string text, const CsvOptions& options = {}) {
  core::Workers one(1);
  return parse_csv(std::move(text), "x.csv", options, one);
}

/// The column's fields as text: numbers in their shortest form, "-" where missing.
Strings fields(const Column& column) {
  Strings result;
  for (std::size_t r = 0; r < column.size(); ++r) {
    if (column.kind == Column::Kind::text)
      result.push_back(column.codes[r] < 0 ? "-" : column.levels[static_cast<std::size_t>(column.codes[r])]);
    else
      result.push_back(std::isnan(column.numbers[r]) ? "-" : std::to_string(std::lround(column.numbers[r])));
  }
  return result;
}

void expect_same(const Table& a, const Table& b) {
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (std::size_t c = 0; c < a.columns.size(); ++c) {
    const Column& left = a.columns[c];
    const Column& right = b.columns[c];
    EXPECT_EQ(left.name, right.name);
    ASSERT_EQ(left.kind, right.kind) << left.name;
    EXPECT_EQ(left.codes, right.codes);
    EXPECT_EQ(left.levels, right.levels);
    ASSERT_EQ(left.numbers.size(), right.numbers.size());
    for (std::size_t r = 0; r < left.numbers.size(); ++r) {
      if (std::isnan(left.numbers[r]) && std::isnan(right.numbers[r])) continue;
      ASSERT_EQ(std::bit_cast<std::uint32_t>(left.numbers[r]), std::bit_cast<std::uint32_t>(right.numbers[r]))
          << left.name << " row " << r;
    }
  }
}

TEST(Csv, ReadsNumbersTextAndMissingValues) {
  const Table table = parse("a, b ,c\n1,x,\n-2.5,NA,?\n+.5e1, y ,nan\n");
  EXPECT_EQ(table.source, "x.csv");
  ASSERT_EQ(table.columns.size(), 3u);
  EXPECT_EQ(table.columns[1].name, "b");
  EXPECT_EQ(table.columns[0].numbers, (std::vector<float>{1, -2.5, 5}));
  EXPECT_EQ(table.columns[1].kind, Column::Kind::text);
  EXPECT_EQ(table.columns[1].codes, (std::vector<std::int32_t>{0, -1, 1}));
  EXPECT_EQ(table.columns[1].levels, (Strings{"x", "y"}));
  EXPECT_TRUE(table.columns[1].numbers.empty());
  EXPECT_EQ(table.columns[2].kind, Column::Kind::numeric) << "only missing values";
  EXPECT_EQ(fields(table.columns[2]), (Strings{"-", "-", "-"}));
}

TEST(Csv, IgnoresLineEndStyleBlankLinesAndByteOrderMark) {
  const Table plain = parse("a,b\n1,x\n2,y\n");
  for (const char* text :
       {"a,b\r\n1,x\r\n2,y\r\n", "a,b\n1,x\n2,y", "a,b\r\n1,x\r\n2,y",
        "\xEF\xBB\xBF"
        "a,b\n1,x\n2,y\n",
        "\n\na,b\n\n1,x\n  \n2,y\n\n \t\n", "\r\na,b\r\n\r\n1,x\r\n2,y\r\n\r\n", "a,b\n1,x\n2,y\r\n   ",
        " a , b \n 1 , x \n\t2\t,\ty\t\n", "\"a\",\"b\"\n\"1\",\"x\"\r\n \"2\" , \"y\" \r\n"})
    expect_same(parse(text), plain);
}

TEST(Csv, ReadsQuotedFields) {
  const Table table =
      parse("\"na\"\"me\",b\n\"a,b\",1\n\"line one\nline two\",2\n\"say \"\"hi\"\"\",3\n5\" nail,4\n\"\",5\n");
  EXPECT_EQ(table.columns[0].name, "na\"me");
  EXPECT_EQ(fields(table.columns[0]), (Strings{"a,b", "line one\nline two", "say \"hi\"", "5\" nail", "-"}));
  EXPECT_EQ(table.columns[1].numbers, (std::vector<float>{1, 2, 3, 4, 5}));
}

TEST(Csv, RoundsNumbersAsTheStandardLibraryDoes) {
  core::Rng rng(1, 0, core::Purpose::generator);
  std::string text = "x\n";
  std::vector<float> expected;
  for (int i = 0; i < 20'000; ++i) {
    const auto digits = std::to_string(rng.next() >> rng.below(60));
    const auto point = rng.below(digits.size() + 1);
    std::string field = (rng.below(2) ? "-" : "") + digits.substr(0, point) + "." + digits.substr(point);
    if (rng.below(4) == 0) field += "e" + std::to_string(static_cast<int>(rng.below(20)) - 10);
    text += field + "\n";
    expected.push_back(static_cast<float>(std::strtod(field.c_str(), nullptr)));
  }
  const Table table = parse(text);
  ASSERT_EQ(table.columns[0].numbers, expected);
}

TEST(Csv, GuessesTheDelimiter) {
  for (const char delimiter : {',', ';', '\t', '|'}) {
    std::string text = "a~b~c\n1~2 , 3~x;y\n4~\"5~6\"~z\n";
    if (delimiter == ',') text = "a~b~c\n1~2 | 3~x;y\n4~\"5~6\"~z\n";
    if (delimiter == ';') text = "a~b~c\n1~2,3,4~x\n4~5,6,7~z\n";
    std::replace(text.begin(), text.end(), '~', delimiter);
    const Table table = parse(text);
    ASSERT_EQ(table.columns.size(), 3u) << delimiter;
    EXPECT_EQ(table.columns[0].numbers, (std::vector<float>{1, 4})) << delimiter;
  }
  EXPECT_EQ(parse("only\n1\n2\n").columns.size(), 1u);
  EXPECT_EQ(parse("a b\n1 2\n", {.delimiter = ' '}).columns[1].numbers, (std::vector<float>{2}));
  EXPECT_EQ(parse("a\tb\n\t2\n", {.delimiter = '\t'}).columns[1].numbers, (std::vector<float>{2}));
  EXPECT_EQ(parse("a;b\n1;2\n", {.delimiter = ','}).columns.size(), 1u);
}

TEST(Csv, NamesUnnamedColumns) {
  const Table no_header = parse("1,2\n3,4\n", {.header = false});
  EXPECT_EQ(no_header.columns[1].name, "c1");
  EXPECT_EQ(no_header.columns[0].numbers, (std::vector<float>{1, 3}));
  EXPECT_EQ(parse(",b\n0,1\n").columns[0].name, "c0");
  EXPECT_EQ(parse("7\n1\n").columns[0].name, "7") << "the first line is the header even if it looks like data";
}

TEST(Csv, ReadsColumnsAsTextOnRequest) {
  const Table table = parse("a,y,z\n1, 01 ,1\n2,1.0,2\n3,NA,3\n", {.as_text = {"y", "-1"}});
  EXPECT_EQ(fields(table.columns[1]), (Strings{"01", "1.0", "-"}));
  EXPECT_EQ(table.columns[2].levels, (Strings{"1", "2", "3"}));
  EXPECT_EQ(table.columns[0].kind, Column::Kind::numeric);
  EXPECT_THROW(parse("a\n1\n", {.as_text = {"b"}}), core::UsageError);
}

/// Rows of text, numbers and missing values; the first column is numeric in most rows.
std::string awkward_text(bool quotes) {
  core::Rng rng(7, quotes, core::Purpose::generator);
  std::string text = "mostly,number,word\n";
  for (int r = 0; r < 500; ++r) {
    text += r == 400 ? "word" : std::to_string(r % 37);
    text += "," + (rng.below(9) ? std::to_string(rng.normal()) : std::string("NA")) + ",";
    const auto word = "w" + std::to_string(rng.below(40));
    if (!quotes)
      text += word;
    else
      text += rng.below(2) ? "\"" + word + "\n, \"\"q\"\"\"" : "\"" + word + "\"";
    text += rng.below(5) ? "\n" : "\r\n\n";
  }
  return text;
}

TEST(Csv, LeavesOutIgnoredColumns) {
  core::Workers workers(1);
  const auto table = parse_csv("id,a,y\nu,1,x\nv,2,z\n", "f", {.as_text = {"-1"}, .ignore = {"id"}}, workers);
  ASSERT_EQ(table.columns.size(), 2u);
  EXPECT_EQ(table.columns[0].name, "a");
  EXPECT_EQ(table.columns[0].numbers[1], 2.0f);
  EXPECT_EQ(table.columns[1].levels, (std::vector<std::string>{"x", "z"}));
  EXPECT_THROW(parse_csv("a,y\n1,2\n", "f", {.ignore = {"b"}}, workers), core::UsageError);
}

TEST(Csv, TakesGivenSpellingsForMissingValues) {
  core::Workers workers(1);
  const auto table = parse_csv("a,b\n1,u\n-,-\n-999.0,v\n", "f", {.missing_values = {"-", "-999"}}, workers);
  ASSERT_EQ(table.columns[0].kind, data::Column::Kind::numeric);
  EXPECT_EQ(table.columns[0].numbers[0], 1.0f);
  EXPECT_TRUE(std::isnan(table.columns[0].numbers[1]));
  EXPECT_TRUE(std::isnan(table.columns[0].numbers[2]));
  EXPECT_EQ(table.columns[1].codes, (std::vector<std::int32_t>{0, -1, 1}));
}

TEST(Csv, ReadsTheHeaderAlone) {
  const auto header = csv_header(FileText::of("a;b\n1;2\n"), "f", {});
  ASSERT_EQ(header.columns.size(), 2u);
  EXPECT_EQ(header.columns[1].name, "b");
  EXPECT_EQ(header.rows(), 0u);
}

TEST(Csv, ReadsCarriageReturnsAsLineEnds) {
  core::Workers workers(1);
  for (const std::string text : {"a,b,c\r1,\"x\",3\r\r4,y,\"5\"\r", "a,b,c\r1,x,3\r4,\"y\",5"}) {
    const auto table = parse_csv(text, "f", {.chunk_bytes = 1}, workers);
    ASSERT_EQ(table.rows(), 2u);
    EXPECT_EQ(table.columns[0].numbers[1], 4.0f);
    EXPECT_EQ(table.columns[1].levels, (std::vector<std::string>{"x", "y"}));
    EXPECT_EQ(table.columns[2].numbers[1], 5.0f);
    EXPECT_EQ(csv_lines(FileText::of(text), {}).rows.size(), 2u);
  }
  EXPECT_EQ(thrown_message<core::DataError>([&] { parse_csv("a,b\r1,2\r3\r", "f", {}, workers); }),
            "f: line 3 has 1 field, the header has 2");
}

TEST(Csv, DoesNotDependOnThreadsOrChunks) {
  for (const bool quotes : {false, true}) {
    const std::string text = awkward_text(quotes);
    core::Workers one(1);
    const Table whole = parse_csv(text, "x.csv", {}, one);
    ASSERT_EQ(whole.rows(), 500u);
    EXPECT_EQ(whole.columns[0].kind, Column::Kind::text);
    EXPECT_EQ(whole.columns[0].levels.front(), "0");
    EXPECT_EQ(whole.columns[0].levels.back(), "word");
    for (const std::size_t threads : {1, 2, 5})
      for (const std::size_t bytes : {1, 7, 64, 1000}) {
        core::Workers workers(threads);
        expect_same(parse_csv(text, "x.csv", {.chunk_bytes = bytes}, workers), whole);
      }
  }
}

/// A table of unusual fields; every level is used, in order of first appearance.
Table random_table(core::Rng& rng) {
  static const Strings parts{"a", ",", "\"", "\n", "\r\n", ";", "\t", " ", "|", "\xC3\xA9", "1", "."};
  Table table{"x.csv", {}};
  const std::size_t rows = 1 + rng.below(20);
  const std::size_t columns = 1 + rng.below(4);
  for (std::size_t c = 0; c < columns; ++c) {
    Column column;
    column.name = "n" + std::to_string(c) + parts[rng.below(7)] + "z";
    column.kind = rng.below(2) ? Column::Kind::text : Column::Kind::numeric;
    for (std::size_t r = 0; r < rows; ++r) {
      const bool missing = rng.below(5) == 0;
      if (column.kind == Column::Kind::numeric) {
        const auto bits = std::bit_cast<float>(static_cast<std::uint32_t>(rng.next()));
        column.numbers.push_back(missing || !std::isfinite(bits) ? nan : bits);
        continue;
      }
      std::string level = "x";
      for (std::size_t i = rng.below(4); i > 0; --i) level += parts[rng.below(parts.size())];
      level += "x";
      auto at = std::find(column.levels.begin(), column.levels.end(), level);
      if (!missing && at == column.levels.end()) at = column.levels.insert(at, level);
      column.codes.push_back(missing ? -1 : static_cast<std::int32_t>(at - column.levels.begin()));
    }
    table.columns.push_back(std::move(column));
  }
  return table;
}

TEST(Csv, ReadsBackWhatItWrites) {
  core::Rng rng(3, 0, core::Purpose::generator);
  core::Workers workers(2);
  for (int i = 0; i < 300; ++i) {
    const Table table = random_table(rng);
    for (const char delimiter : {',', ';', '\t'}) {
      CsvOptions options{.delimiter = delimiter, .chunk_bytes = 1 + rng.below(50)};
      for (std::size_t c = 0; c < table.columns.size(); ++c)
        if (table.columns[c].kind == Column::Kind::text) options.as_text.push_back(std::to_string(c));
      const std::string text = to_csv(table, delimiter);
      SCOPED_TRACE(text);
      expect_same(parse_csv(text, "x.csv", options, workers), table);
      if (HasFailure()) return;
    }
  }
}

TEST(Csv, QuotesFieldsOnlyWhereNeeded) {
  const Table table = parse("a,b c,d\n1,\"x,y\",0.1\n,z,1e30\n");
  EXPECT_EQ(to_csv(table), "a,b c,d\n1,\"x,y\",0.1\n,z,1e+30\n");
  EXPECT_EQ(to_csv(table, ';'), "a;b c;d\n1;x,y;0.1\n;z;1e+30\n");
  EXPECT_EQ(csv_field(" a"), "\" a\"");
  EXPECT_EQ(csv_field("a\"b"), "\"a\"\"b\"");
}

TEST(Csv, ReturnsTheLinesOfTheRows) {
  const auto file = FileText::of("\xEF\xBB\xBF\n a ;b\r\n\n1;\"x\n;y\"\r\n  \n2;z");
  CsvLines lines = csv_lines(file, {});
  EXPECT_EQ(lines.header, " a ;b\r\n");
  EXPECT_EQ(lines.rows, (std::vector<std::string_view>{"1;\"x\n;y\"\r\n", "2;z"}));
  lines = csv_lines(file, {.header = false});
  EXPECT_EQ(lines.header, "");
  EXPECT_EQ(lines.rows.size(), 3u);
  core::Workers workers(1);
  EXPECT_EQ(parse_csv(file, "x.csv", {.header = false}, workers).rows(), 3u);
}

}  // namespace
}  // namespace accrete::io::csv_test
