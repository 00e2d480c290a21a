#include "report/experiment/results.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "accrete/core/error.hpp"
#include "tests/report/experiment/invented_results.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::report::results_test {
namespace {

TEST(ExperimentResults, OrdersCellsAsThePaper) {
  const auto tables = profile_tables(invented_table({"boston", "iris"}));
  ASSERT_EQ(tables.size(), experiment::profiles().size());
  const ProfileTable& quick = tables[0];
  EXPECT_EQ(quick.profile->name, "quick");
  ASSERT_EQ(quick.rows.size(), experiment::tasks().size());
  EXPECT_EQ(quick.cells(), 12u);
  EXPECT_EQ(tables[1].cells(), 0u);
  EXPECT_EQ(quick.methods(), (std::vector<std::size_t>{0, 1, 2, 3, 4, 5}));
  for (const TaskRow& row : quick.rows) EXPECT_EQ(row.has(3), row.task->name == "boston" || row.task->name == "iris");
}

TEST(ExperimentResults, FormatsScoresAsThePaper) {
  const auto table = quick_table({experiment::to_result(invented_cell("iris", "gbnn", 0.95, 0.02)),
                                  experiment::to_result(invented_cell("boston", "gbnn", 3.25, 0.5))});
  for (const TaskRow& row : table.rows) {
    if (row.task->name == "iris") {
      EXPECT_EQ(show_score(row, 0), "95.00 (2.11)");  // 2 x sqrt(10 / 9)
      EXPECT_EQ(show_printed(row, 0), "95.73 (6.02)");
      EXPECT_TRUE(row.higher_is_better());
    }
    if (row.task->name == "boston") {
      EXPECT_EQ(show_score(row, 0), "3.250 (0.527)");
      EXPECT_EQ(show_printed(row, 0), "3.03 (0.74)");
      EXPECT_FALSE(row.higher_is_better());
    }
  }
}

TEST(ExperimentResults, ExcludesFailedFitsFromRanks) {
  auto cell = invented_cell("iris", "sgd", 0.9);
  cell.parts[4].score = std::nan("");
  const auto table = quick_table({experiment::to_result(cell)});
  EXPECT_EQ(table.cells(), 1u);
  EXPECT_TRUE(table.methods().empty());
}

TEST(ExperimentResults, RefusesCellsWithDifferentSeedsOrRows) {
  for (auto change : {+[](experiment::Cell& cell) { ++cell.seed; }, +[](experiment::Cell& cell) { cell.rows = 99; }}) {
    auto other = invented_cell("iris", "adam", 0.9);
    change(other);
    const auto first = experiment::to_result(invented_cell("iris", "gbnn", 0.9));
    EXPECT_THROW(profile_tables({first, experiment::to_result(other)}), core::FileError);
  }
}

TEST(ExperimentResults, NamesUnknownMethodsAndTasks) {
  const auto known = experiment::to_result(invented_cell("iris", "gbnn", 0.9));
  for (auto change : {&store::ResultKey::profile, &store::ResultKey::task, &store::ResultKey::method}) {
    store::Result result = known;
    result.key.*change = "newer";
    const std::string said = thrown_message<core::FileError>([&] { profile_tables({result}); });
    EXPECT_NE(said.find("'newer' is unknown to this version"), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace accrete::report::results_test
