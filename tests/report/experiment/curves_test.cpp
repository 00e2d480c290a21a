#include <gtest/gtest.h>

#include "report/experiment/sections.hpp"
#include "tests/report/experiment/invented_results.hpp"

namespace accrete::report::curves_test {
namespace {

TEST(ExperimentCurves, DrawsTheDeepNetworkAsADashedLine) {
  Document document{"t"};
  add_curves(document, read_experiments(invented_everything()).front());
  const auto figures = figures_of(document);
  ASSERT_EQ(figures.size(), 1u);
  EXPECT_EQ(figures[0].id, "curve-quick-tic-tac-toe");
  const Plot& plot = std::get<Plot>(figures[0].chart);
  ASSERT_EQ(plot.series.size(), 3u);
  EXPECT_EQ(plot.series[0].name, "GBNN");
  EXPECT_FALSE(plot.series[0].faint);
  const Series& deep = plot.series[1];
  EXPECT_EQ(deep.name, "Deep-NN");
  EXPECT_TRUE(deep.faint);
  EXPECT_EQ(deep.x, (std::vector<double>{3, 9})) << "over the units of the others";
  EXPECT_DOUBLE_EQ(deep.y[0], 75.0) << "percent";
  EXPECT_DOUBLE_EQ(deep.high[1], 76.0);
  EXPECT_NE(figures[0].caption.find("Deep-NN has 300 units"), std::string::npos);
  EXPECT_EQ(figures[0].table.rows.size(), 7u);
}

TEST(ExperimentCurves, DoesNotScaleRmse) {
  Document document{"t"};
  add_curves(document, read_experiments({invented_curve("energy_heating", "gbnn", {4, 8})}).front());
  const Plot plot = std::get<Plot>(figures_of(document).at(0).chart);
  EXPECT_DOUBLE_EQ(plot.series[0].y[0], 0.75);
  EXPECT_EQ(plot.y.label, "RMSE");
}

TEST(ExperimentCurves, AddsNothingWithoutResults) {
  Document document{"t"};
  add_curves(document, read_experiments(invented_table({"iris"})).front());
  EXPECT_TRUE(document.parts.empty());
}

}  // namespace
}  // namespace accrete::report::curves_test
