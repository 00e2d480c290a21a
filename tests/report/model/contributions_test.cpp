#include "report/model/contributions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/model/model_report.hpp"
#include "tests/report/model/fitted.hpp"

namespace accrete::report::contributions_test {
namespace {

ColumnContributions explained(const LabelledRows& data, std::uint64_t seed = 0, std::size_t threads = 1) {
  core::Workers workers(threads);
  return column_contributions(data, seed, workers);
}

TEST(ColumnContributions, DescribeRowsAndOneExample) {
  for (const char* kind : {"binary", "three", "number"}) {
    SCOPED_TRACE(kind);
    const Fitted fitted(kind);
    const ColumnContributions found = explained(fitted.data);
    EXPECT_EQ(found.rows, 400u);
    EXPECT_EQ(found.shown, 300u);
    ASSERT_EQ(found.columns.size(), 3u);
    for (std::size_t c = 1; c < 3; ++c) EXPECT_GE(found.columns[c - 1].mean_size, found.columns[c].mean_size);
    const auto& parts = found.example.contributions;
    EXPECT_NEAR(found.baseline + std::accumulate(parts.begin(), parts.end(), 0.0), found.example.score, 1e-9);
    for (const ExplainedColumn& column : found.columns) {
      ASSERT_EQ(column.contributions.size(), 300u);
      const bool text = column.name == "colour";
      EXPECT_EQ(std::ranges::all_of(column.places, [](double p) { return std::isnan(p); }), text);
      for (const double place : column.places) EXPECT_FALSE(place < 0.0 || place > 1.0);
    }
  }
}

TEST(ColumnContributions, NameTheScore) {
  EXPECT_EQ(explained(Fitted("number").data).score, "y");
  EXPECT_TRUE(explained(Fitted("binary").data).score.starts_with("log odds of"));
  const ColumnContributions classes = explained(Fitted("three").data);
  EXPECT_TRUE(classes.score.starts_with("score of"));
  EXPECT_EQ(classes.scores, 3u);
}

TEST(ColumnContributions, AreWeighted) {
  Fitted fitted("number");
  const double before = explained(fitted.data).columns[0].mean_size;
  fitted.data.weights.assign(400, 2.5);
  EXPECT_NEAR(explained(fitted.data).columns[0].mean_size, before, 1e-12);
  for (std::size_t r = 0; r < 200; ++r) fitted.data.weights[r] = 0.0;
  EXPECT_NE(explained(fitted.data).columns[0].mean_size, before);
}

TEST(ColumnContributions, DoNotDependOnTheThreads) {
  const Fitted fitted("three");
  const ColumnContributions one = explained(fitted.data, 1), three = explained(fitted.data, 1, 3);
  EXPECT_EQ(one.columns[0].contributions, three.columns[0].contributions);
  EXPECT_EQ(one.example.number, three.example.number);
}

TEST(ContributionFigures, WaterfallGoesFromTheBaselineToTheScore) {
  const Fitted fitted("number");
  const ColumnContributions found = explained(fitted.data);
  const Figure figure = waterfall_figure(found);
  const auto& plot = std::get<Plot>(figure.chart);
  ASSERT_EQ(plot.y.categories.size(), 5u) << "baseline, three columns, this row";
  std::vector<double> from(5, NAN), to(5, NAN);
  for (const Series& series : plot.series)
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      const auto place = static_cast<std::size_t>(series.y[i]);
      to[place] = series.x[i];
      from[place] = series.from.empty() ? series.x[i] : series.from[i];
    }
  EXPECT_EQ(from[0], found.baseline);
  for (std::size_t i = 1; i < 5; ++i) EXPECT_NEAR(from[i], to[i - 1], 1e-9) << "each bar starts where the last ended";
  EXPECT_EQ(to[4], found.example.score);
}

TEST(ContributionFigures, SumSmallPartsOfManyColumns) {
  ColumnContributions many{.score = "y", .rows = 1, .shown = 1, .baseline = 1.0};
  for (int i = 0; i < 40; ++i) {
    many.columns.push_back({"c" + std::to_string(i), 40.0 - i, {1.0 + i}, {0.5}});
    many.example.values.push_back(" = 1");
    many.example.contributions.push_back(1.0 + i);
    many.example.score += 1.0 + i;
  }
  many.example.score += many.baseline;
  const auto plot = std::get<Plot>(waterfall_figure(many).chart);
  EXPECT_EQ(plot.y.categories.size(), 14u);
  EXPECT_EQ(plot.y.categories[1], "c39 = 1");
  EXPECT_EQ(plot.y.categories[12], "29 other columns");
  EXPECT_EQ(plot.series[0].x.back(), many.example.score);
  EXPECT_EQ(std::get<Plot>(contributions_figure(many).chart).y.categories.size(), 30u);
  EXPECT_EQ(std::get<Plot>(swarm_figure(many).chart).y.categories.size(), 12u);
}

TEST(ContributionFigures, PointsStayInTheirCategory) {
  const Fitted fitted("number");
  const Figure figure = swarm_figure(explained(fitted.data));
  std::size_t points = 0;
  for (const Series& series : std::get<Plot>(figure.chart).series) {
    points += series.x.size();
    for (const double y : series.y) EXPECT_LT(std::abs(y - std::round(y)), 0.45);
  }
  EXPECT_EQ(points, 900u);
}

}  // namespace
}  // namespace accrete::report::contributions_test
