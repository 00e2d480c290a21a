#include "accrete/data/recognise.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "accrete/core/error.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/encoder.hpp"
#include "accrete/io/csv.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::data::recognise_test {
namespace {

Table read(const std::string& text, const io::CsvOptions& options = {}) {
  core::Workers workers(1);
  return io::parse_csv(text, "data.csv", options, workers);
}

/// A file with the columns `a` and `y`; `cell` gives a's text in each row.
template <class Cell>
std::string file_of(std::size_t rows, const Cell& cell) {
  std::string text = "a;y\n";
  for (std::size_t r = 0; r < rows; ++r) text += cell(r) + ";" + std::to_string(r) + "\n";
  return text;
}

std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.push_back(column.name);
  return names;
}

std::vector<Input> inputs_of(const Table& table) {
  std::vector<Input> inputs;
  for (const Column& column : table.columns)
    inputs.push_back({.name = column.name, .kind = column.kind, .format = column.format});
  return inputs;
}

TEST(Recognise, ConvertsNumbersOfAnotherFormat) {
  Table table = read("a;y\n7;0\n1,5;1\n;2\n-0,25;3\n");
  const auto found = recognise_columns(table, {.keep = {"y"}});
  ASSERT_EQ(found.converted.size(), 1u);
  EXPECT_EQ(found.converted[0].text, "1,5");
  EXPECT_EQ(found.converted[0].reading, "1.5");
  const Column& a = table.columns[0];
  ASSERT_EQ(a.kind, Column::Kind::numeric);
  EXPECT_EQ(a.numbers[0], 7.0f);
  EXPECT_EQ(a.numbers[1], 1.5f);
  EXPECT_TRUE(std::isnan(a.numbers[2]));
  EXPECT_EQ(a.numbers[3], -0.25f);
}

TEST(Recognise, NamesTheCellThatMakesAColumnText) {
  Table table = read(file_of(200, [](std::size_t r) { return r == 49 ? std::string("-") : std::to_string(r); }));
  const auto found = recognise_columns(table, {});
  ASSERT_EQ(found.nearly_numeric.size(), 1u);
  const NearlyNumericColumn& a = found.nearly_numeric[0];
  EXPECT_EQ(a.name, "a");
  EXPECT_EQ(a.row, 49u);
  EXPECT_EQ(a.text, "-");
  EXPECT_EQ(a.numbers, 199u);
  EXPECT_EQ(a.values, 200u);
  EXPECT_TRUE(found.identifiers.empty());
  EXPECT_EQ(table.columns[0].kind, Column::Kind::text);
}

TEST(Recognise, SaysNothingAboutCategoriesOfFewLevels) {
  Table table = read(file_of(200, [](std::size_t r) { return std::string(1, "12A"[r % 3]); }));
  const auto found = recognise_columns(table, {});
  EXPECT_TRUE(found.nearly_numeric.empty());
  EXPECT_TRUE(found.identifiers.empty());
  EXPECT_EQ(table.columns.size(), 2u);
}

TEST(Recognise, ReadsListedColumnsAsNumbers) {
  const std::string text =
      file_of(100, [](std::size_t r) { return r % 10 == 0 ? std::string("n.a.") : "5," + std::to_string(r); });
  Table table = read(text);
  const auto found = recognise_columns(table, {.numeric = {"a"}});
  ASSERT_EQ(found.numeric.size(), 1u);
  EXPECT_EQ(found.numeric[0].missing, 10u);
  EXPECT_EQ(table.columns[0].kind, Column::Kind::numeric);
  EXPECT_TRUE(std::isnan(table.columns[0].numbers[0]));
  EXPECT_EQ(table.columns[0].numbers[11], 5.11f);
  Table again = read(text), other = read(text);
  EXPECT_THROW(recognise_columns(again, {.keep = {"a"}, .numeric = {"a"}}), core::UsageError);
  EXPECT_THROW(recognise_columns(again, {.numeric = {"b"}}), core::UsageError);
  apply_formats(other, table);
  EXPECT_TRUE(std::isnan(other.columns[0].numbers[10]));
}

TEST(Recognise, ReadsTheSpellingsOfMissingValuesInListedColumns) {
  Table table = read("a;y\n-999;0\nn.a.;1\n5;2\n");
  recognise_columns(table, {.numeric = {"a"}, .missing_values = {"-999"}});
  ASSERT_EQ(table.columns[0].kind, Column::Kind::numeric);
  EXPECT_TRUE(std::isnan(table.columns[0].numbers[0]));
  EXPECT_TRUE(std::isnan(table.columns[0].numbers[1]));
  EXPECT_EQ(table.columns[0].numbers[2], 5.0f);
}

TEST(Recognise, LooksAtTheLevelsThatOccur) {
  Table table{"t", {{.name = "a", .kind = Column::Kind::text, .codes = {1, 2}, .levels = {"unused", "1,5", "2,5"}}}};
  recognise_columns(table, {});
  ASSERT_EQ(table.columns[0].kind, Column::Kind::numeric);
  EXPECT_EQ(table.columns[0].numbers[0], 1.5f);
  EXPECT_EQ(table.columns[0].numbers[1], 2.5f);
}

TEST(Recognise, RemovesIdentifiers) {
  const auto id = [](std::size_t r) { return "id" + std::to_string(r); };
  Table large = read(file_of(51, id)), small = read(file_of(50, id)), kept = read(file_of(51, id));
  EXPECT_EQ(recognise_columns(large, {}).identifiers, std::vector<std::string>{"a"});
  EXPECT_EQ(names_of(large), std::vector<std::string>{"y"});
  EXPECT_TRUE(recognise_columns(small, {}).identifiers.empty());
  EXPECT_TRUE(recognise_columns(kept, {.keep = {"a"}}).identifiers.empty());
}

TEST(Recognise, ExpandsDates) {
  Table table = read("when,x,y\n2024-05-01 06:00,1,1\n,2,2\n2024-05-02,3,3\n");
  const auto found = recognise_columns(table, {.keep = {"y"}});
  ASSERT_EQ(found.converted.size(), 1u);
  EXPECT_EQ(found.converted[0].reading, "2024-05-01");
  EXPECT_EQ(names_of(table),
            (std::vector<std::string>{"when days", "when year", "when month", "when weekday", "when hour", "x", "y"}));
  EXPECT_EQ(table.columns[0].numbers[0], 19844.25f);
  EXPECT_TRUE(std::isnan(table.columns[0].numbers[1]));
  EXPECT_EQ(table.columns[3].numbers[2], 3.0f);
  EXPECT_EQ(table.columns[4].numbers[2], 0.0f);
}

TEST(Recognise, GivesDatePartsNamesThatAreNotTaken) {
  Table table = read("when,when year,y\n2024-05-01,1,1\n2023-05-02,2,2\n");
  recognise_columns(table, {.keep = {"y"}});
  EXPECT_EQ(names_of(table),
            (std::vector<std::string>{"when days", "when year_", "when month", "when weekday", "when year", "y"}));
  Table later = read("when,when year\n2022-05-01,7\n");
  apply_formats(later, inputs_of(table));
  EXPECT_EQ(later.columns[*later.find("when year")].numbers[0], 7.0f);
  EXPECT_EQ(later.columns[*later.find("when year_")].numbers[0], 2022.0f);
}

TEST(Recognise, HasNoHoursWithoutTimes) {
  Table table = read("when,y\n31/05/2024,1\n01/05/2024,2\n");
  recognise_columns(table, {.keep = {"y"}});
  EXPECT_EQ(names_of(table), (std::vector<std::string>{"when days", "when year", "when month", "when weekday", "y"}));
  EXPECT_EQ(table.columns[2].numbers[1], 5.0f);
}

TEST(ApplyFormats, ReadsLaterRowsLikeTheTrainingRows) {
  Table training = read("price;when;y\n1.234,5;31/05/2024;1\n7;01/05/2024;2\n");
  recognise_columns(training, {.keep = {"y"}});
  // Alone, these cells would be a plain number and a month that comes first.
  Table later = read("price;when\n1.234;02/05/2024\n", {.as_text = {"price"}});
  apply_formats(later, inputs_of(training));
  EXPECT_EQ(later.columns[*later.find("price")].numbers[0], 1234.0f);
  EXPECT_EQ(later.columns[*later.find("when month")].numbers[0], 5.0f);
  EXPECT_EQ(later.columns[*later.find("when days")].numbers[0], 19845.0f);
}

TEST(ApplyFormats, NamesCellsAndColumnsThatDoNotFit) {
  Table training = read("price;when;y\n1,5;31/05/2024;1\n7;01/05/2024;2\n");
  recognise_columns(training, {.keep = {"y"}});
  const auto message = [&](const std::string& text) {
    Table later = read(text, {.delimiter = ';'});
    return thrown_message<core::DataError>([&] { apply_formats(later, inputs_of(training)); });
  };
  EXPECT_EQ(message("price;when\n1,5;01/05/2024\nabc;01/05/2024\n"),
            "data.csv: row 2 (counting from 1), column 'price': 'abc' is not a number; the model needs numbers here");
  EXPECT_EQ(message("price;when\n1,5;05/31/2024\n"),
            "data.csv: row 1 (counting from 1), column 'when': '05/31/2024' is not a date; the model needs dates here");
  EXPECT_EQ(message("price\n1,5\n"), "data.csv: column 'when' is missing; the model needs it");
  EXPECT_EQ(message("price;when\n1,5;3\n"), "data.csv: column 'when' holds numbers; the model needs dates");
  Table fits = read("price;when days;when year;when month;when weekday\n1,5;1;2;3;4\n", {.delimiter = ';'});
  EXPECT_NO_THROW(apply_formats(fits, inputs_of(training)));
}

TEST(ApplyFormats, RemovesMissingValues) {
  Table training = read("a,b,y\n1,u,1\n2,v,2\n");
  recognise_columns(training, {.keep = {"y"}, .missing_values = {"-999", "u"}});
  Table later = read("a,b\n-999,u\n3,v\n");
  apply_formats(later, inputs_of(training));
  EXPECT_TRUE(std::isnan(later.columns[0].numbers[0]));
  EXPECT_EQ(later.columns[0].numbers[1], 3.0f);
  EXPECT_EQ(later.columns[1].codes[0], -1);
  EXPECT_EQ(later.columns[1].codes[1], 1);
}

}  // namespace
}  // namespace accrete::data::recognise_test
