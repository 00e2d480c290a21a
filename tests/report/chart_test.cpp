#include "report/chart.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace accrete::report {
namespace {

TEST(Chart, PlotAsJson) {
  Plot plot{.title = "t", .x = {.label = "units"}, .y = {.label = "loss", .log = true, .low = 0.5}};
  plot.series.push_back({.name = "s", .mark = Mark::points, .x = {1.0, 1.0 / 3.0}, .y = {2.0, NAN}, .colour = 2});
  const Json json = to_json(plot);
  EXPECT_EQ(json["series"][0]["mark"], "points");
  EXPECT_EQ(json["series"][0]["x"][1], 0.33333);
  EXPECT_EQ(json["y"]["log"], true);
  EXPECT_EQ(json["y"]["low"], 0.5);
  EXPECT_FALSE(json["y"].contains("high"));
  EXPECT_FALSE(json["series"][0].contains("low"));
  EXPECT_NE(json.dump().find("[2.0,null]"), std::string::npos) << "a gap is null: " << json.dump();
}

TEST(Chart, GridAsJson) {
  const Chart chart = Grid{"g", "true", "predicted", {"a", "b"}, {"a", "b"}, {{1.0, 2.0}, {3.0, 4.0}}};
  EXPECT_EQ(to_json(chart)["values"][1][0], 3.0);
  EXPECT_EQ(title_of(chart), "g");
}

TEST(Chart, RoundsToDigits) {
  EXPECT_EQ(rounded(123456.0, 3), 123000.0);
  EXPECT_EQ(rounded(-1.0 / 3.0, 2), -0.33);
  EXPECT_TRUE(std::isnan(rounded(NAN)));
}

}  // namespace
}  // namespace accrete::report
