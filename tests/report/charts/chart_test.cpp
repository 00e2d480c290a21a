#include "report/charts/chart.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace accrete::report::chart_test {
namespace {

TEST(Chart, WritesPlotsAsJson) {
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

TEST(Chart, WritesWhereBarsBegin) {
  Plot plot{.title = "t", .x = {.label = ""}, .y = {.label = "", .categories = {"a"}, .category_height = 36}};
  plot.series.push_back({.mark = Mark::bars, .x = {3.0}, .y = {0.0}, .from = {1.0}});
  const Json json = to_json(plot);
  EXPECT_EQ(json["series"][0]["from"], Json::parse("[1.0]"));
  EXPECT_EQ(json["y"]["category_height"], 36);
}

TEST(Chart, WritesGridsAsJson) {
  const Chart chart = HeatMap{"g", "true", "predicted", {"a", "b"}, {"a", "b"}, {{1.0, 2.0}, {3.0, 4.0}}};
  EXPECT_EQ(to_json(chart)["values"][1][0], 3.0);
  EXPECT_EQ(title_of(chart), "g");
}

TEST(Chart, WritesRanksAsJson) {
  const Json json = to_json(Ranks{"r", {"b", "a"}, {1.625, 1.375}, 0.5});
  EXPECT_EQ(json["methods"], 2);
  EXPECT_EQ(json["leaders"][0], Json::parse(R"({"name":"a","rank":1.375,"shown":"1.38","left":true,"level":0})"));
  EXPECT_EQ(json["leaders"][1]["left"], false);
  EXPECT_EQ(json["groups"], Json::parse(R"([{"low":1.375,"high":1.625,"level":0}])"));
  EXPECT_EQ(json["levels"], 1);
}

TEST(Chart, WritesFieldsAsJson) {
  Field field{.title = "f", .limit = 5.0, .side = 2, .values = {0.0, 1.0, 0.5, 2.0}};
  field.classes[1] = {"second", {1.0}, {-2.0}};
  const Json json = to_json(field);
  EXPECT_EQ(json["field"], "AP+A/w==") << "bytes 0, 255, 128, 255";
  EXPECT_EQ(json["side"], 2);
  EXPECT_EQ(json["classes"][1], Json::parse(R"({"name":"second","x":[1.0],"y":[-2.0]})"));
}

TEST(Chart, RoundsToDigits) {
  EXPECT_EQ(round_digits(123456.0, 3), 123000.0);
  EXPECT_EQ(round_digits(-1.0 / 3.0, 2), -0.33);
  EXPECT_TRUE(std::isnan(round_digits(NAN)));
}

}  // namespace
}  // namespace accrete::report::chart_test
