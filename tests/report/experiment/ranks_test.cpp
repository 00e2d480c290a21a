#include "report/experiment/ranks.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "report/experiment/sections.hpp"
#include "tests/report/experiment/invented_results.hpp"

namespace accrete::report::experiment_ranks_test {
namespace {

TEST(ExperimentRanks, PrefersLowerRmse) {
  const auto table = quick_table(invented_table({"iris", "wine", "boston"}));
  // Means fall from method to method: best first in classes, best last in regression.
  EXPECT_EQ(compare_ranks(table, TaskGroup::classification).ranks, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(compare_ranks(table, TaskGroup::regression).ranks, (std::vector<double>{6, 5, 4, 3, 2, 1}));
  const auto all = compare_ranks(table, TaskGroup::all);
  EXPECT_EQ(all.tasks, 3u);
  EXPECT_NEAR(all.ranks[0], 8.0 / 3.0, 1e-12);
}

TEST(ExperimentRanks, RanksThePapersOwnMeans) {
  // Wine as printed: 98.88 97.87 97.77 97.65 95.72 97.32
  const auto compared = compare_ranks(quick_table(invented_table({"wine"})), TaskGroup::all);
  EXPECT_EQ(compared.paper_ranks, (std::vector<double>{1, 2, 3, 4, 6, 5}));
  EXPECT_FALSE(compared.tested()) << "one task is too few for a test";
}

TEST(ExperimentRanks, CountsOnlyTasksWithAllScores) {
  auto results = invented_table({"iris", "wine", "digits"});
  results.pop_back();  // the last method's cell on digits
  const auto compared = compare_ranks(quick_table(results), TaskGroup::all);
  EXPECT_EQ(compared.tasks, 2u);
  EXPECT_EQ(compared.methods.size(), 6u);
  // Two tasks that agree in every rank: chi-square is N (k - 1) = 10.
  EXPECT_NEAR(compared.chi_square, 10.0, 1e-9);
  EXPECT_NEAR(compared.critical, 2.850 * std::sqrt(6.0 * 7.0 / (6.0 * 2.0)), 2e-3) << "Dem\u0161ar's table 5a";
}

TEST(ExperimentRanks, TreatsReorderedScoresAsATie) {
  auto gbnn = invented_cell("iris", "gbnn", 0.9), adam = invented_cell("iris", "adam", 0.9);
  for (std::size_t i = 0; i < 10; ++i) gbnn.parts[i].score = adam.parts[9 - i].score = 1.0 / static_cast<double>(i + 3);
  const auto compared =
      compare_ranks(quick_table({experiment::to_result(gbnn), experiment::to_result(adam)}), TaskGroup::all);
  EXPECT_EQ(compared.ranks, (std::vector<double>{1.5, 1.5}));
}

TEST(ExperimentRanks, DrawsADiagramPerGroupOfTwoTasks) {
  Document document{"t"};
  add_rank_diagrams(document, quick_table(invented_table({"iris", "wine", "boston"})));
  const auto figures = figures_of(document);
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_EQ(figures[0].id, "ranks-quick-classification");
  EXPECT_EQ(figures[1].id, "ranks-quick-all");
  EXPECT_NE(figures[0].caption.find("Over 2 tasks. Friedman: chi-square 10.00, p = 0.075"), std::string::npos)
      << figures[0].caption;
  EXPECT_NE(words_of(document).find("No diagram of regression"), std::string::npos);
  EXPECT_EQ(std::get<Ranks>(figures[0].chart).names.front(), "GBNN");
}

}  // namespace
}  // namespace accrete::report::experiment_ranks_test
