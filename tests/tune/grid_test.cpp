#include "accrete/tune/grid.hpp"

#include <gtest/gtest.h>

#include "accrete/core/error.hpp"
#include "accrete/tune/boosted.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::tune::grid_test {
namespace {

Grid parse(const std::string& text) {
  return parse_grid(text, "g.json", Boosted({}, data::Task::binary));
}

TEST(Grid, PointsAreAllCombinationsTheLastAxisFastest) {
  const Grid grid = parse(R"({"learning_rate": [0.1, 1], "units": [30, 10], "activation": ["relu", "tanh"]})");
  EXPECT_EQ(grid.units, (std::vector<std::size_t>{10, 30})) << "no axis, and in order";
  EXPECT_EQ(grid.size(), 4u);
  const std::vector<Settings> points{{{"learning_rate", "0.1"}, {"activation", "relu"}},
                                     {{"learning_rate", "0.1"}, {"activation", "tanh"}},
                                     {{"learning_rate", "1"}, {"activation", "relu"}},
                                     {{"learning_rate", "1"}, {"activation", "tanh"}}};
  EXPECT_EQ(grid.points(), points);
  EXPECT_EQ(Grid{}.points(), std::vector<Settings>{{}});
}

TEST(Grid, WhatIsNoProductIsListed) {
  Grid grid{
      {{"solver", {"adam", "sgd"}}}, {0}, {{{"estimators", "200"}, {"units_per_step", "1"}}, {{"estimators", "67"}}}};
  EXPECT_EQ(grid.size(), 4u);
  const std::vector<Settings> points{{{"estimators", "200"}, {"units_per_step", "1"}, {"solver", "adam"}},
                                     {{"estimators", "200"}, {"units_per_step", "1"}, {"solver", "sgd"}},
                                     {{"estimators", "67"}, {"solver", "adam"}},
                                     {{"estimators", "67"}, {"solver", "sgd"}}};
  EXPECT_EQ(grid.points(), points);
  grid.axes.clear();
  EXPECT_EQ(grid.points(), grid.listed);
}

TEST(Grid, OfThePaper) {
  EXPECT_EQ(paper_grid(data::Task::binary).points().size(), 36u);
  EXPECT_EQ(paper_grid(data::Task::multiclass).points().size(), 80u);
  EXPECT_EQ(paper_grid(data::Task::regression).points().size(), 80u);
  EXPECT_EQ(paper_grid(data::Task::binary).units, std::vector<std::size_t>{200});
  const Boosted method({}, data::Task::regression);
  for (const Axis& axis : paper_grid(data::Task::regression).axes)
    for (const auto& value : axis.values) EXPECT_EQ(method.canonical({axis.name, value}), value) << axis.name;
}

TEST(Grid, TakesAxesOut) {
  Grid grid = paper_grid(data::Task::binary);
  grid.remove("subsample");
  grid.remove("units");
  EXPECT_EQ(grid.size(), 12u);
  EXPECT_TRUE(grid.units.empty());
  EXPECT_EQ(grid.find("subsample"), nullptr);
}

struct BadGrid {
  const char* text;
  std::vector<std::string> says;
};

TEST(Grid, Refusals) {
  const std::vector<BadGrid> bad{
      {"{\"learning_rate\": [0.1,\n 0.2, }", {"line 2, column 7", "not valid JSON"}},
      {"", {"line 1", "not valid JSON"}},
      {"{} x", {"not valid JSON"}},
      {"[1, 2]", {"an object of lists"}},
      {"{}", {"an object of lists"}},
      {R"({"rate": [1]})", {"'rate', value 1", "unknown parameter 'rate'", "learning_rate"}},
      {R"({"alpha": []})", {"'alpha'", "at least one value"}},
      {R"({"alpha": 3})", {"'alpha'", "a list"}},
      {R"({"alpha": [1, null]})", {"'alpha', value 2", "a number, a text"}},
      {R"({"alpha": [[1]]})", {"'alpha', value 1", "a number, a text"}},
      {R"({"alpha": [1, 1.0]})", {"'alpha', value 2", "twice"}},
      {R"({"alpha": [1], "alpha": [2]})", {"'alpha'", "twice"}},
      {R"({"learning_rate": [0.5, 1.5]})", {"'learning_rate', value 2", "1.5", "above 0, at most 1"}},
      {R"({"units": [0]})", {"'units', value 1", "at least 1"}},
      {R"({"units": [2.5]})", {"'units', value 1", "whole number"}},
      {R"({"seed": [1, 2]})", {"'seed'", "cannot be searched over"}},
      {R"({"auto": [true]})", {"'auto'", "cannot be searched over"}},
  };
  for (const BadGrid& grid : bad) {
    const std::string said = thrown_message<core::DataError>([&] { parse(grid.text); });
    EXPECT_TRUE(said.starts_with("g.json: ")) << grid.text << ": " << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    for (const auto& word : grid.says) EXPECT_NE(said.find(word), std::string::npos) << word << " is not in: " << said;
  }
}

TEST(Grid, WholeNumbersMayBeWrittenAsOthers) {
  EXPECT_EQ(parse(R"({"units": [1e2, "50"]})").units, (std::vector<std::size_t>{50, 100}));
}

TEST(Grid, TooLargeAGridIsRefused) {
  std::string text = "{";
  for (const char* name : {"alpha", "solver_rate", "huber_delta"}) {
    text += std::string(text.size() > 1 ? ", " : "") + "\"" + name + "\": [";
    for (int i = 1; i <= 50; ++i) text += (i > 1 ? "," : "") + std::to_string(i);
    text += "]";
  }
  EXPECT_THROW(parse(text + "}"), core::DataError);
}

}  // namespace
}  // namespace accrete::tune::grid_test
