#include <gtest/gtest.h>

#include <cmath>

#include "report/experiment/sections.hpp"
#include "tests/report/experiment/invented_results.hpp"

namespace accrete::report::table_test {
namespace {

RichTable table_of(const std::vector<store::Result>& results) {
  Document document{"t"};
  add_score_table(document, quick_table(results));
  return table_with_id(document, "table-quick");
}

TEST(ExperimentTable, ShowsOursAboveThePapersAndMarksTheBest) {
  const RichTable table = table_of(invented_table({"iris", "boston"}));
  EXPECT_EQ(table.header,
            (std::vector<std::string>{"task", "GBNN", "Deep-NN", "NN-Adam", "NN-L-BFGS", "NN-SGD", "AdaBoost-NN"}));
  const auto iris = row_of(table, "Iris"), boston = row_of(table, "Boston Housing");
  ASSERT_EQ(iris.size(), 7u);
  EXPECT_EQ(iris[1].text, "90.00 (1.05)");
  EXPECT_EQ(iris[1].note, "95.73 (6.02)");
  EXPECT_EQ(iris[1].tone, Tone::best);
  EXPECT_EQ(iris[2].tone, Tone::plain);
  EXPECT_EQ(boston[6].tone, Tone::best) << "RMSE: the lowest";
  EXPECT_EQ(boston[1].tone, Tone::plain);
}

TEST(ExperimentTable, MarksEqualMeansAsBest) {
  const RichTable table = table_of({experiment::to_result(invented_cell("iris", "gbnn", 0.90001)),
                                    experiment::to_result(invented_cell("iris", "adam", 0.90002)),
                                    experiment::to_result(invented_cell("iris", "sgd", 0.8999)),
                                    experiment::to_result(invented_cell("wine", "gbnn", 0.9))});
  const auto iris = row_of(table, "Iris"), wine = row_of(table, "Wine");
  ASSERT_EQ(iris.size(), 4u) << "a column per method with results";
  EXPECT_EQ(iris[1].tone, Tone::best);
  EXPECT_EQ(iris[2].tone, Tone::best);
  EXPECT_EQ(iris[3].tone, Tone::plain);
  EXPECT_EQ(wine[2].text, "\u2013") << "not there";
}

TEST(ExperimentTable, MarksNoSingleScoreAndReportsFailures) {
  auto failed = invented_cell("iris", "sgd", 0.9);
  failed.parts[0].score = std::nan("");
  const auto iris = row_of(
      table_of({experiment::to_result(invented_cell("iris", "gbnn", 0.9)), experiment::to_result(failed)}), "Iris");
  ASSERT_EQ(iris.size(), 3u);
  EXPECT_EQ(iris[1].tone, Tone::plain);
  EXPECT_EQ(iris[2].text, "a fit failed");
}

TEST(ExperimentTable, ShowsMeanRanksAtTheBottom) {
  const auto row = row_of(table_of(invented_table({"iris", "wine"})), "Mean rank over 2 tasks");
  ASSERT_EQ(row.size(), 7u);
  EXPECT_EQ(row[1].text, "1.00");
  EXPECT_EQ(row[1].tone, Tone::best);
  EXPECT_EQ(row[6].text, "6.00");
  EXPECT_EQ(row[1].note, "1.00") << "of the paper's own means";
}

TEST(ExperimentTable, ListsGridsAndMissingResults) {
  auto results = invented_table({"iris", "wine"});
  results.pop_back();
  Document document{"t"};
  add_protocol(document, quick_table(results));
  const auto adam = row_of(table_with_id(document, "grids-quick"), "NN-Adam");
  ASSERT_EQ(adam.size(), 4u);
  EXPECT_EQ(adam[1].text, "hidden 12 52 200");
  EXPECT_EQ(row_of(table_with_id(document, "grids-quick"), "Deep-NN")[3].text, "none");
  const std::string words = words_of(document);
  EXPECT_NE(words.find("Not in the store: australian, banknote"), std::string::npos) << words;
  EXPECT_NE(words.find("(all methods); wine: adaboost."), std::string::npos) << words;
  EXPECT_EQ(words.find("iris"), std::string::npos);
}

}  // namespace
}  // namespace accrete::report::table_test
