#include "report/experiment/figures.hpp"

#include <gtest/gtest.h>

namespace accrete::report::figures_test {
namespace {

TEST(ExperimentFigures, ReplacesUnderscoresInIds) {
  EXPECT_EQ(figure_id("curve", "quick", "energy_heating"), "curve-quick-energy-heating");
}

TEST(ExperimentFigures, UsesThePapersTitles) {
  EXPECT_EQ(task_title("energy_heating"), "Energy-Heating");
  EXPECT_EQ(task_title("ringnorm2d"), "ringnorm2d");
  EXPECT_EQ(method_title("lbfgs"), "NN-L-BFGS");
}

TEST(ExperimentFigures, DrawsABandOfOneStandardError) {
  const Series series = curve_series("s", {{1, 2}, {0.5, 0.6}, {0.1, 0.2}}, 100.0);
  EXPECT_EQ(series.x, (std::vector<double>{1, 2}));
  EXPECT_DOUBLE_EQ(series.y[1], 60.0);
  EXPECT_DOUBLE_EQ(series.low[1], 40.0);
  EXPECT_DOUBLE_EQ(series.high[0], 60.0);
}

TEST(ExperimentFigures, ThinsTablesButKeepsTheLastPoint) {
  UnitsCurve curve;
  for (int units = 1; units <= 200; ++units) {
    curve.units.push_back(units);
    curve.mean.push_back(0.5);
    curve.se.push_back(0.01);
  }
  const Table table = curve_table({{"a", &curve}}, 1.0);
  EXPECT_EQ(table.rows.size(), 21u);
  EXPECT_EQ(table.rows.front()[1], "1");
  EXPECT_EQ(table.rows.back()[1], "200");
}

TEST(ExperimentFigures, GroupsByTaskInThePapersOrder) {
  const std::vector<TrainingTime> times{{"power", "gbnn"}, {"iris", "sgd"}, {"iris", "gbnn"}, {"unheard", "gbnn"}};
  const auto tasks = by_task(times);
  ASSERT_EQ(tasks.size(), 3u);
  EXPECT_EQ(tasks[0][0]->method, "gbnn");
  EXPECT_EQ(tasks[0][1]->method, "sgd");
  EXPECT_EQ(tasks[1][0]->task, "power");
  EXPECT_EQ(tasks[2][0]->task, "unheard");
}

}  // namespace
}  // namespace accrete::report::figures_test
