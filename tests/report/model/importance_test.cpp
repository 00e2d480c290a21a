#include "report/model/importance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/report/model/fitted.hpp"

namespace accrete::report::importance_test {
namespace {

/// y depends on x, not on noise, and a little on kind.
data::Table depends_on_x(std::size_t rows) {
  using Kind = data::Column::Kind;
  core::Rng rng(5, 0, core::Purpose::generator);
  data::Table table{"made up",
                    {{"noise", Kind::numeric, {}, {}, {}},
                     {"x", Kind::numeric, {}, {}, {}},
                     {"kind", Kind::text, {}, {}, {"u", "v"}},
                     {"y", Kind::numeric, {}, {}, {}}}};
  for (std::size_t r = 0; r < rows; ++r) {
    const double x = rng.normal();
    const auto kind = static_cast<std::int32_t>(rng.below(2));
    table.columns[0].numbers.push_back(static_cast<float>(rng.normal()));
    table.columns[1].numbers.push_back(static_cast<float>(x));
    table.columns[2].codes.push_back(kind);
    table.columns[3].numbers.push_back(static_cast<float>(3.0 * x + 0.5 * kind));
  }
  return table;
}

TEST(Importance, FindsTheColumnThatMatters) {
  const data::Table table = depends_on_x(600);
  boosting::FitOptions options;
  options.targets = {"y"};
  options.config = {.units = 400, .learning_rate = 0.1, .automatic = false};
  const model::Model model = boosting::fit(table, options).model;
  core::Workers workers(1);
  const auto found = importances(Fitted::label(model, table), {.repeats = 4, .seed = 3}, workers);
  EXPECT_EQ(found.metric, "rmse");
  EXPECT_EQ(found.rows, 600u);
  ASSERT_EQ(found.columns.size(), 3u) << "the columns of the file, not the features made of them";
  EXPECT_EQ(found.columns[0].column, "x");
  EXPECT_EQ(found.columns[1].column, "kind");
  EXPECT_EQ(found.columns[2].column, "noise");
  // Shuffled, the prediction is that of another row: the error is sqrt(2) deviations of 3 x.
  EXPECT_NEAR(found.columns[0].mean, 3.0 * std::sqrt(2.0), 0.4);
  EXPECT_NEAR(found.columns[2].mean, 0.0, 0.03);
  EXPECT_GT(found.columns[0].sd, 0.0);
  EXPECT_LT(found.columns[0].sd, 0.5);
}

TEST(Importance, DependsOnTheSeedButNotOnTheThreads) {
  const Fitted fitted("three");
  core::Workers one(1), three(3);
  const auto a = importances(fitted.data, {.seed = 1}, one), b = importances(fitted.data, {.seed = 1}, three),
             c = importances(fitted.data, {.seed = 2}, one);
  ASSERT_EQ(a.columns.size(), 3u);
  EXPECT_EQ(a.metric, "accuracy");
  bool differs = false;
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(a.columns[i].column, b.columns[i].column);
    EXPECT_EQ(a.columns[i].mean, b.columns[i].mean);
    differs |= a.columns[i].mean != c.columns[i].mean;
  }
  EXPECT_TRUE(differs);
}

TEST(Importance, HasNoDeviationForOneRepeat) {
  const Fitted fitted("binary");
  core::Workers workers(1);
  for (const auto& column : importances(fitted.data, {.repeats = 1}, workers).columns) EXPECT_EQ(column.sd, 0.0);
}

TEST(Importance, SamplesRowsOfLargeTables) {
  const Fitted fitted("number");
  EXPECT_EQ(importance_rows(fitted.model, 50, 5), 50u);
  EXPECT_EQ(importance_rows(fitted.model, 1'000'000, 5), 10'000u);
  EXPECT_EQ(importance_rows(fitted.model, 1'000'000, 1'000'000'000), 200u) << "the sample has at least 200 rows";
}

TEST(Importance, StopsOnRequest) {
  const Fitted fitted("number");
  core::Workers workers(1);
  std::size_t calls = 0;
  const auto found = importances(fitted.data,
                                 {.progress =
                                      [&](std::size_t done, std::size_t total) {
                                        EXPECT_EQ(done, calls);
                                        EXPECT_EQ(total, 15u);
                                        return ++calls < 4;
                                      }},
                                 workers);
  EXPECT_TRUE(found.stopped);
  EXPECT_EQ(calls, 4u);
}

}  // namespace
}  // namespace accrete::report::importance_test
