#include <gtest/gtest.h>

#include "report/experiment/sections.hpp"
#include "tests/report/experiment/invented_results.hpp"

namespace accrete::report::paper_test {
namespace {

Document compare_with_paper(const std::vector<experiment::Cell>& cells) {
  std::vector<store::Result> results;
  for (const auto& cell : cells) results.push_back(experiment::to_result(cell));
  Document document{"t"};
  add_paper_comparison(document, quick_table(results));
  return document;
}

TEST(ExperimentPaper, CombinesBothStandardErrors) {
  // Iris: the paper has 95.73 +- 6.02 over 50 folds; ours 90 +- 2 sqrt(10 / 9) over 10:
  // (90 - 95.73) / sqrt(6.02^2 / 50 + 4.444 / 10) = -5.73 / 1.0815
  const auto document = compare_with_paper({invented_cell("iris", "gbnn", 0.90, 0.02)});
  const auto row = row_of(table_with_id(document, "paper-quick"), "Iris");
  ASSERT_EQ(row.size(), 6u);
  EXPECT_EQ(row[1].text, "95.73 (6.02)");
  EXPECT_EQ(row[2].text, "90.00 (2.11)");
  EXPECT_EQ(row[3].text, "-5.73");
  EXPECT_EQ(row[4].text, "-5.3");
  EXPECT_EQ(row[5].text, "worse");
  EXPECT_EQ(row[5].tone, Tone::worse);
  EXPECT_NE(words_of(document).find("Of 1 tasks, ours is better on 0 and worse on 1"), std::string::npos);
}

TEST(ExperimentPaper, PrefersLowerRmse) {
  // Boston: 3.03 +- 0.74 over 50; ours 2 +- 0.0105 over 10: 1.03 / 0.1047
  const auto row = row_of(table_with_id(compare_with_paper({invented_cell("boston", "gbnn", 2.0)}), "paper-quick"),
                          "Boston Housing");
  EXPECT_EQ(row[3].text, "-1.030");
  EXPECT_EQ(row[4].text, "+9.8");
  EXPECT_EQ(row[5].text, "better");
}

TEST(ExperimentPaper, CountsTenFoldsForWaveform300) {
  // 82.94 +- 0.17 over 10; ours 83 +- 1.0541 over 10: 0.06 / sqrt(0.00289 + 0.11111)
  const auto row = row_of(
      table_with_id(compare_with_paper({invented_cell("waveform-300", "gbnn", 0.83)}), "paper-quick"), "Waveform-300");
  EXPECT_EQ(row[4].text, "+0.2");
  EXPECT_EQ(row[5].text, "level");
}

TEST(ExperimentPaper, AddsNothingWithoutTheBoostedNetwork) {
  EXPECT_TRUE(compare_with_paper({invented_cell("iris", "adam", 0.9)}).parts.empty());
}

}  // namespace
}  // namespace accrete::report::paper_test
