#include "accrete/io/svmlight.hpp"

#include <gtest/gtest.h>

#include "tests/thrown_message.hpp"

namespace accrete::io::svmlight_test {
namespace {

data::Table parse(const std::string& text, const SvmlightOptions& options = {}) {
  return parse_svmlight(FileText::of(text), "rows.svm", options);
}

std::string refusal(const std::string& text, const SvmlightOptions& options = {}) {
  return thrown_message([&] { parse(text, options); });
}

TEST(Svmlight, ReadsLabelsAndEntries) {
  const data::Table table = parse("# made by hand\n1 1:0.5 3:-2\n-1 2:1e1 # a comment\n\n1 qid:7 4:+3\n1\n");
  ASSERT_EQ(table.columns.size(), 5u);
  EXPECT_EQ(table.rows(), 4u);
  EXPECT_EQ(table.columns[0].name, "x0");
  EXPECT_EQ(table.columns[0].number(0), 0.5f);
  EXPECT_EQ(table.columns[2].number(0), -2.0f);
  EXPECT_EQ(table.columns[1].number(1), 10.0f);
  EXPECT_EQ(table.columns[3].number(2), 3.0f);
  for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(table.columns[c].number(3), 0.0f);
  EXPECT_EQ(table.columns[4].name, "label");
  EXPECT_EQ(table.columns[4].levels, (std::vector<std::string>{"1", "-1"}));
  EXPECT_EQ(table.columns[4].codes, (std::vector<std::int32_t>{0, 1, 0, 0}));
}

TEST(Svmlight, ReadsZeroBasedIndices) {
  const data::Table table = parse("a 0:1 2:5\n", {.zero_based = true});
  ASSERT_EQ(table.columns.size(), 4u);
  EXPECT_EQ(table.columns[0].number(0), 1.0f);
  EXPECT_EQ(table.columns[2].number(0), 5.0f);
}

TEST(Svmlight, HasTheColumnsOfAModelWhateverTheFileHas) {
  const data::Table table = parse("1 2:4\r\n0 1:3\r\n", {.columns = {"a", "b", "c"}, .label = "y"});
  ASSERT_EQ(table.columns.size(), 4u);
  EXPECT_EQ(table.columns[1].name, "b");
  EXPECT_EQ(table.columns[1].number(0), 4.0f);
  EXPECT_EQ(table.columns[2].number(0), 0.0f);
  EXPECT_EQ(table.columns[3].name, "y");
  EXPECT_EQ(refusal("1 1:2\n1 4:1\n", {.columns = {"a", "b", "c"}}),
            "rows.svm: line 2 has the index 4; the largest of the model is 3");
}

TEST(Svmlight, DropsExplicitZerosButKeepsTheirColumn) {
  const data::Table table = parse("1 1:1 9:0\n");
  EXPECT_EQ(table.columns.size(), 10u);
  EXPECT_TRUE(table.columns[8].sparse->rows.empty());
}

TEST(Svmlight, NamesFileLineAndRuleOfAMalformedLine) {
  const std::string good = "1 1:2\n";
  EXPECT_EQ(refusal(good + "1 3:1 2:1\n"), "rows.svm: line 2 has the index 2 after 3; indices must ascend");
  EXPECT_EQ(refusal(good + "1 3:1 3:1\n"), "rows.svm: line 2 has the index 3 after 3; indices must ascend");
  EXPECT_EQ(refusal(good + "1 3:0 3:1\n"), "rows.svm: line 2 has the index 3 after 3; indices must ascend");
  EXPECT_EQ(refusal(good + "1 x:1\n"), "rows.svm: line 2 has the index 'x', which is not a whole number");
  EXPECT_EQ(refusal(good + "1 -3:1\n"), "rows.svm: line 2 has the index '-3', which is not a whole number");
  EXPECT_EQ(refusal(good + "1 :1\n"), "rows.svm: line 2 has the index '', which is not a whole number");
  EXPECT_EQ(refusal(good + "1 0:1\n"), "rows.svm: line 2 has the index 0; indices begin at 1, or at 0 with zero_based");
  EXPECT_EQ(refusal(good + "1 5000001:1\n"), "rows.svm: line 2 has the index 5000001; the largest possible is 5000000");
  EXPECT_EQ(refusal(good + "1 99999999999999999999:1\n"),
            "rows.svm: line 2 has the index 99999999999999999999; the largest possible is 5000000");
  EXPECT_EQ(refusal(good + "1 3=1\n"), "rows.svm: line 2 has '3=1', which is not index:value");
  EXPECT_EQ(refusal(good + "1 3:a\n"), "rows.svm: line 2 has '3:a': the value is not a number");
  EXPECT_EQ(refusal(good + "1 3:\n"), "rows.svm: line 2 has '3:': the value is not a number");
  EXPECT_EQ(refusal(good + "1 3:nan\n"), "rows.svm: line 2 has '3:nan': the value must be a finite number");
  EXPECT_EQ(refusal(good + "1 3:1e39\n"), "rows.svm: line 2 has '3:1e39': the value must be a finite number");
  EXPECT_EQ(refusal(good + "3:1 4:1\n"), "rows.svm: line 2 begins with '3:1': the label is missing");
  EXPECT_EQ(refusal(good + "1,2 4:1\n"), "rows.svm: line 2 has the labels '1,2'; only one label per row is possible");
  EXPECT_EQ(refusal(good + std::string("1 \0 4:1\n", 9)),
            "rows.svm: line 2 contains a NUL byte: this is not a text file");
  EXPECT_EQ(refusal("\n# nothing\n"), "rows.svm: no rows");
  EXPECT_EQ(refusal("1\n2\n"), "rows.svm: no row has an entry (index:value)");
}

TEST(Svmlight, IsRecognisedByTheNameOfTheFile) {
  for (const char* name : {"a.svm", "b/a.svmlight", "a.libsvm", "a.svm.gz"}) EXPECT_TRUE(is_svmlight(name)) << name;
  for (const char* name : {"a.csv", "svm", "a.svm.csv", "-", "a.gz"}) EXPECT_FALSE(is_svmlight(name)) << name;
}

}  // namespace
}  // namespace accrete::io::svmlight_test
