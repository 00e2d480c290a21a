#include "accrete/data/target.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "accrete/core/error.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::data::target_test {
namespace {

using Strings = std::vector<std::string>;

/// A text column as the CSV reader builds it; "" is missing.
Column text_column(const std::string& name, const Strings& values) {
  Column column{name, Column::Kind::text, {}, {}, {}};
  for (const auto& value : values) {
    auto at = std::find(column.levels.begin(), column.levels.end(), value);
    if (value.empty()) {
      column.codes.push_back(-1);
      continue;
    }
    if (at == column.levels.end()) at = column.levels.insert(at, value);
    column.codes.push_back(static_cast<std::int32_t>(at - column.levels.begin()));
  }
  return column;
}

Table text_table(const Strings& values) {
  return {"t.csv", {text_column("y", values)}};
}
Table number_table(const std::vector<float>& values) {
  return {"t.csv", {Column{"y", Column::Kind::numeric, values, {}, {}}}};
}

const std::vector<std::size_t> first{0};

Target read(const Table& table, std::optional<Task> task = {}) {
  return read_target(table, first, task);
}

std::vector<double> values_of(const core::Matrix<double>& m) {
  return {m.flat().begin(), m.flat().end()};
}

TEST(Target, TaskNamesRoundTrip) {
  for (const Task task : {Task::regression, Task::binary, Task::multiclass})
    EXPECT_EQ(task_named(task_name(task)), task);
  EXPECT_THROW(task_named("ranking"), core::UsageError);
}

TEST(Target, ReadsWordsAsClassesSortedByText) {
  const Target two = read(text_table({"yes", "no", "yes"}));
  EXPECT_EQ(two.task, Task::binary);
  EXPECT_EQ(two.classes, (Strings{"no", "yes"}));
  EXPECT_EQ(values_of(two.values), (std::vector<double>{1, 0, 1}));
  EXPECT_EQ(two.reason.text(), "the target has 2 distinct labels that are not numbers");
  EXPECT_EQ(two.outputs(), 1u);

  const Target three = read(text_table({"b", "a", "c", "b"}));
  EXPECT_EQ(three.task, Task::multiclass);
  EXPECT_EQ(values_of(three.values), (std::vector<double>{1, 0, 2, 1}));
  EXPECT_EQ(three.outputs(), 3u);
}

TEST(Target, ReadsNumbersWithOneWordAsClassesAndNamesTheWord) {
  const Target target = read(text_table({"1.5", "2", "12x"}));
  EXPECT_EQ(target.task, Task::multiclass);
  EXPECT_EQ(target.reason.text(),
            "the target has 3 distinct labels and not all are numbers: '12x' in row 3 (counting from 1)");
}

TEST(Target, RefusesAWordAmongManyNumbers) {
  Strings values;
  for (int i = 0; i < 60; ++i) values.push_back(std::to_string(i) + ".5");
  values[36] = "oops";
  const std::string said = thrown_message<core::DataError>([&] { read(text_table(values)); });
  EXPECT_NE(said.find("row 37"), std::string::npos) << said;
  EXPECT_NE(said.find("'oops' is not a number, but 59 of the target's 60"), std::string::npos) << said;
  EXPECT_EQ(read(text_table(values), Task::multiclass).classes.size(), 60u);
  for (int i = 0; i < 10; ++i) values[static_cast<std::size_t>(i)] = "word" + std::to_string(i);
  EXPECT_EQ(read(text_table(values)).task, Task::multiclass);
}

TEST(Target, ReadsFewIntegersAsClassesSortedAsNumbers) {
  const Target target = read(text_table({"10", "9", "-1", "9.0"}));
  EXPECT_EQ(target.task, Task::multiclass);
  EXPECT_EQ(target.classes, (Strings{"-1", "9", "10"})) << "9 and 9.0 are one class, named as it first appears";
  EXPECT_EQ(values_of(target.values), (std::vector<double>{2, 1, 0, 1}));
  EXPECT_EQ(target.reason.text(),
            "the target holds whole numbers with only 3 distinct values; use task regression to treat them as "
            "quantities");
}

TEST(Target, DistinguishesIntegersTooLargeForDouble) {
  const Strings four{"9007199254740993", "9007199254740992", "-9007199254740992", "-9007199254740993"};
  const Target target = read(text_table({four[0], four[1], four[2], four[3], "9.007199254740993e15"}));
  EXPECT_EQ(target.task, Task::multiclass);
  EXPECT_EQ(target.classes, (Strings{four[3], four[2], four[1], four[0]}));
  EXPECT_EQ(values_of(target.values), (std::vector<double>{3, 2, 1, 0, 3}));
  EXPECT_EQ(read(text_table({four[0], four[1]})).task, Task::binary) << "counted as two distinct labels";

  const Table other = text_table({"9007199254740993.0", "+9007199254740992"});
  const auto values = read_target_as(other, first, target.task, target.classes);
  EXPECT_EQ(values_of(values), (std::vector<double>{3, 2}));
  const Table unknown = text_table({"9007199254740991", "9007199254740994"});
  EXPECT_THROW(read_target_as(unknown, first, target.task, target.classes), core::DataError);
  const Table rounded = number_table({9007199254740992.0f});
  EXPECT_THROW(read_target_as(rounded, first, target.task, target.classes), core::DataError)
      << "ambiguous in a column of floats";
}

TEST(Target, ReadsAtMostTwentyDistinctIntegersAsClasses) {
  std::vector<float> values;
  for (int i = 0; i < 20; ++i) values.insert(values.end(), 2, static_cast<float>(i));
  EXPECT_EQ(read(number_table(values)).task, Task::multiclass);
  values.push_back(20);
  const Target target = read(number_table(values));
  EXPECT_EQ(target.task, Task::regression);
  EXPECT_EQ(target.reason.text(), "the target has 21 distinct numeric values");
  EXPECT_TRUE(target.classes.empty());
}

TEST(Target, ReadsFractionsAsRegressionInDouble) {
  const Target target = read(text_table({"0.1", "2", "0.1"}));
  EXPECT_EQ(target.task, Task::regression);
  EXPECT_EQ(target.reason.text(), "the target has 2 distinct numeric values, not all whole");
  EXPECT_EQ(values_of(target.values), (std::vector<double>{0.1, 2, 0.1}));
  EXPECT_EQ(target.outputs(), 1u);
}

TEST(Target, NamesClassesOfNumericColumnsWithoutExponent) {
  EXPECT_EQ(read(number_table({3000000, 1, 1})).classes, (Strings{"1", "3000000"}));
  EXPECT_EQ(read(number_table({0.5f, 1}), Task::binary).classes, (Strings{"0.5", "1"}));
}

TEST(Target, FollowsAGivenTaskWithoutAReason) {
  const Target numbers = read(text_table({"1", "2", "3"}), Task::regression);
  EXPECT_EQ(values_of(numbers.values), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(numbers.reason.text(), "");
  const Target two = read(text_table({"a", "b"}), Task::multiclass);
  EXPECT_EQ(two.task, Task::multiclass);
  EXPECT_EQ(two.outputs(), 2u);
}

TEST(Target, IgnoresLevelsThatNoRowHas) {
  Table table = text_table({"a", "b", "c"});
  table.columns[0].codes = {0, 2, 0};
  EXPECT_EQ(read(table).classes, (Strings{"a", "c"}));
}

TEST(Target, ReadsSeveralColumnsAsRegression) {
  const Table table{"t.csv", {text_column("u", {"1", "2"}), Column{"v", Column::Kind::numeric, {5, 7}, {}, {}}}};
  const std::vector<std::size_t> both{1, 0};
  const Target target = read_target(table, both, {});
  EXPECT_EQ(target.task, Task::regression);
  EXPECT_EQ(target.names, (Strings{"v", "u"}));
  EXPECT_EQ(values_of(target.values), (std::vector<double>{5, 1, 7, 2}));
  EXPECT_EQ(target.reason.text(), "there are 2 target columns");
  EXPECT_EQ(target.outputs(), 2u);
  EXPECT_EQ(thrown_message<core::UsageError>([&] { read_target(table, both, Task::binary); }),
            "the task binary takes one target column, not 2");
  const std::vector<std::size_t> twice{0, 0};
  EXPECT_THROW(read_target(table, twice, {}), core::UsageError);
  EXPECT_THROW(read_target(table, {}, {}), core::UsageError);
}

TEST(Target, RejectsTargetsThatCannotBeLearnt) {
  const auto inf = std::numeric_limits<float>::infinity();
  const auto nan = std::numeric_limits<float>::quiet_NaN();
  const auto data_error = [](const Table& table, std::optional<Task> task = {}) {
    return thrown_message<core::DataError>([&] { read(table, task); });
  };
  EXPECT_EQ(data_error(text_table({"a", "", "b"})),
            "t.csv: row 2 (counting from 1), column 'y': the target is missing");
  EXPECT_EQ(data_error(number_table({1, 2, nan})), "t.csv: row 3 (counting from 1), column 'y': the target is missing");
  EXPECT_EQ(data_error(number_table({1, inf})), "t.csv: row 2 (counting from 1), column 'y': the target is infinite");
  EXPECT_EQ(data_error(text_table({"1.5", "-inf"})),
            "t.csv: row 2 (counting from 1), column 'y': the target is infinite");
  EXPECT_EQ(data_error(text_table({"a"})), "t.csv: training needs at least 2 rows, not 1");
  EXPECT_EQ(data_error(text_table({"a", "a"})), "t.csv: the target 'y' has a single class, 'a'");
  EXPECT_EQ(data_error(text_table({"2", "2.0"}), Task::binary), "t.csv: the target 'y' has a single class, '2'");
  EXPECT_EQ(data_error(text_table({"2", "2.0"})),
            "t.csv: the target 'y' has a single class, '2'; task regression learns it as a number");
}

TEST(Target, ReadsAConstantNumberAsRegression) {
  const Target target = read(text_table({"1.5", "1.50"}));
  EXPECT_EQ(target.task, Task::regression);
  EXPECT_EQ(target.reason.text(), "the target has 1 distinct numeric value, not all whole");
  EXPECT_EQ(values_of(read(text_table({"3", "3"}), Task::regression).values), (std::vector<double>{3, 3}));
}

TEST(Target, RejectsATaskThatDoesNotFit) {
  EXPECT_EQ(thrown_message<core::UsageError>([] {
              read(text_table({"1", "2", "x", "y"}), Task::regression);
            }),
            "t.csv: row 3 (counting from 1), column 'y': 'x' is not a number; a regression target must be numeric");
  EXPECT_EQ(thrown_message<core::UsageError>([] {
              read(text_table({"a", "b", "c"}), Task::binary);
            }),
            "the task binary takes 2 classes, but the target 'y' has 3");
}

TEST(TargetWeighted, UsesOnlyRowsWithWeight) {
  const double weights[] = {0, 1, 2, 1};
  const Target numbers = read_target(number_table({0.5f, 1, 2, 4}), first, std::nullopt, weights);
  EXPECT_EQ(numbers.task, Task::multiclass) << "the only fraction has weight 0";
  EXPECT_EQ(values_of(numbers.values), (std::vector<double>{0, 0, 1, 2}));
  const Target classes = read_target(text_table({"1.0", "1", "2", "1"}), first, Task::binary, weights);
  EXPECT_EQ(classes.classes, (Strings{"1", "2"}));
}

TEST(TargetWeighted, RejectsClassesWithoutWeight) {
  const double weights[] = {0, 1, 1, 0};
  EXPECT_EQ(thrown_message<core::DataError>([&] {
              read_target(text_table({"a", "b", "b", "a"}), first, std::nullopt, weights);
            }),
            "t.csv: the target 'y' has weight 0 in all rows of the class 'a'");
}

TEST(TargetAs, MatchesAsTextThenAsNumber) {
  const Strings classes{"1.0", "1", "2"};
  const auto match = [&](const Table& table) {
    return values_of(read_target_as(table, first, Task::multiclass, classes));
  };
  EXPECT_EQ(match(text_table({"2.00", "1", "1.0", "01"})), (std::vector<double>{2, 1, 0, 0}));
  EXPECT_EQ(match(number_table({2, 1})), (std::vector<double>{2, 1}));
  const Strings tenths{"0.10", "0.2"};
  EXPECT_EQ(values_of(read_target_as(number_table({0.2f, 0.1f}), first, Task::binary, tenths)),
            (std::vector<double>{1, 0}));
}

TEST(TargetAs, ReadsOneRowAndConstants) {
  EXPECT_EQ(values_of(read_target_as(text_table({"b"}), first, Task::binary, Strings{"a", "b"})),
            (std::vector<double>{1}));
  EXPECT_EQ(values_of(read_target_as(text_table({"2.5", "2.5"}), first, Task::regression, {})),
            (std::vector<double>{2.5, 2.5}));
}

TEST(TargetAs, RejectsAnUnknownLabel) {
  EXPECT_EQ(thrown_message<core::DataError>([] {
              read_target_as(text_table({"no", "maybe"}), first, Task::binary, Strings{"no", "yes"});
            }),
            "t.csv: row 2 (counting from 1), column 'y': the model does not know the class 'maybe'; it knows no, yes");
}

TEST(Target, ReadsNumbersOfAnotherFormat) {
  const Target comma = read(text_table({"1,5", "2,25", "3"}));
  EXPECT_EQ(comma.task, Task::regression);
  EXPECT_EQ(values_of(comma.values), (std::vector{1.5, 2.25, 3.0}));
  EXPECT_EQ(values_of(read(text_table({"$1,250.5", "$7"}), Task::regression).values), (std::vector{1250.5, 7.0}));
  EXPECT_EQ(values_of(read(text_table({"1.250,5", "7"}), Task::regression).values), (std::vector{1250.5, 7.0}));
  EXPECT_EQ(read(text_table({"1,250", "2,500"})).task, Task::binary) << "1250 or 1.25: words";
  EXPECT_EQ(values_of(read(text_table({"1,250,000", "2,500"}), Task::regression).values), (std::vector{1.25e6, 2500.0}))
      << "two commas are not decimal";
}

TEST(Target, SkipsLabelsThatAModelDoesNotKnow) {
  const Strings classes{"no", "yes"};
  const KnownTarget target =
      read_known_target(text_table({"yes", "who", "no", "what", "who"}), first, Task::binary, classes);
  EXPECT_EQ(values_of(target.values), (std::vector{1.0, 0.0, 0.0, 0.0, 0.0}));
  EXPECT_EQ(target.unknown, (std::vector<std::size_t>{1, 3, 4}));
  EXPECT_EQ(target.labels, (Strings{"who", "what"}));
  EXPECT_EQ(
      thrown_message<core::DataError>([&] { read_known_target(text_table({"who"}), first, Task::binary, classes); }),
      "t.csv: row 1 (counting from 1), column 'y': the model does not know the class 'who'; it knows no, yes");
}

}  // namespace
}  // namespace accrete::data::target_test
