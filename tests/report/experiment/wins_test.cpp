#include <gtest/gtest.h>

#include "report/experiment/sections.hpp"
#include "tests/report/experiment/invented_results.hpp"

namespace accrete::report::wins_test {
namespace {

std::vector<Entry> against(const std::vector<store::Result>& results, const std::string& other) {
  Document document{"t"};
  add_wins(document, quick_table(results));
  return row_of(table_with_id(document, "wins-quick"), other);
}

TEST(ExperimentWins, CountsTasksByGroup) {
  // The first method has the highest scores everywhere: wins in classes, losses in RMSE.
  const auto row = against(invented_table({"iris", "wine", "boston"}), "NN-SGD");
  ASSERT_EQ(row.size(), 4u);
  EXPECT_EQ(row[1].text, "2 / 0 / 0");
  EXPECT_EQ(row[2].text, "0 / 0 / 1");
  EXPECT_EQ(row[3].text, "2 / 0 / 1");
}

TEST(ExperimentWins, PairsDifferencesByFold) {
  // The scores vary far more than the methods differ, but the difference is the same in every fold.
  const auto gbnn = invented_cell("iris", "gbnn", 0.80, 0.2);
  auto adam = invented_cell("iris", "adam", 0.79, 0.2);
  EXPECT_EQ(against({experiment::to_result(gbnn), experiment::to_result(adam)}, "NN-Adam")[1].text, "1 / 0 / 0");
  std::swap(adam.parts[0].fold, adam.parts[1].fold);  // now two folds differ by as much as the spread
  EXPECT_EQ(against({experiment::to_result(gbnn), experiment::to_result(adam)}, "NN-Adam")[1].text, "0 / 1 / 0");
}

TEST(ExperimentWins, SkipsTasksWithoutBothScores) {
  EXPECT_EQ(against({experiment::to_result(invented_cell("iris", "gbnn", 0.9))}, "NN-Adam")[3].text, "0 / 0 / 0");
}

}  // namespace
}  // namespace accrete::report::wins_test
