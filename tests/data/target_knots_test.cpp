#include "accrete/data/encoder/target_knots.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "accrete/core/random.hpp"
#include "accrete/data/encoder/fit_input.hpp"

namespace accrete::data::target_knots_test {
namespace {

struct Sample {
  Column column;
  core::Matrix<double> targets;
  std::vector<std::size_t> rows;

  Sample(std::size_t count, auto&& x, auto&& y) : targets(count, 1), rows(count) {
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    for (std::size_t r = 0; r < count; ++r) column.numbers.push_back(x(r)), targets(r, 0) = y(column.numbers.back());
  }

  Input fit(std::size_t bins, std::size_t classes = 0) const {
    const Table table{"sample", {column}};
    return fit_input(table, column, {rows, {}, {&targets, classes}}, {.bins = bins});
  }
};

bool has_knot_within(const Input& input, float low, float high) {
  return std::ranges::any_of(input.knots, [=](float k) { return k >= low && k <= high; });
}

TEST(TargetKnots, SurroundAStepOfTheTarget) {
  core::Rng rng(1, 0, core::Purpose::generator);
  const Sample sample(
      4000, [&](std::size_t) { return static_cast<float>(rng.uniform()); },
      [](float x) { return x > 0.7371f ? 1.0 : 0.0; });
  // 16 bins: quantiles alone would be 1/16 apart.
  const Input input = sample.fit(16);
  EXPECT_TRUE(has_knot_within(input, 0.732f, 0.7371f)) << "below the step";
  EXPECT_TRUE(has_knot_within(input, 0.7371f, 0.743f)) << "above the step";
  EXPECT_LE(input.knots.size(), 18u);
}

TEST(TargetKnots, MaySeparateTheLowestNumber) {
  // 200 rows of each of the numbers 0 to 39, so that every number is a candidate.
  const Sample sample(
      8000, [](std::size_t r) { return static_cast<float>(r % 40); }, [](float x) { return x < 0.5f ? 1.0 : 0.0; });
  std::vector<float> all(40);
  std::iota(all.begin(), all.end(), 0.0f);
  const std::vector<float> knots =
      target_knots(sample.column.numbers, {sample.rows, {}, {&sample.targets, 0}}, all, all, 1);
  EXPECT_EQ(knots, (std::vector<float>{0.0f, 1.0f}));
}

TEST(TargetKnots, SeparateTheRowsFarthestFromTheMean) {
  // 0, 1 and 2 have 800, 400 and 1,200 rows. 1 is nearest to the mean, so the best split is below it.
  const Sample sample(
      2400, [](std::size_t r) { return r % 6 < 2   ? 0.0f
                                       : r % 6 < 3 ? 1.0f
                                                   : 2.0f; },
      [](float x) { return x < 0.5f   ? -1.5
                           : x < 1.5f ? -0.05
                                      : 1.0; });
  const std::vector<float> all{0.0f, 1.0f, 2.0f};
  const std::vector<float> knots =
      target_knots(sample.column.numbers, {sample.rows, {}, {&sample.targets, 0}}, all, all, 1);
  EXPECT_EQ(knots, (std::vector<float>{0.0f, 1.0f}));
}

TEST(TargetKnots, FollowClassesToo) {
  core::Rng rng(2, 0, core::Purpose::generator);
  const Sample sample(
      4000, [&](std::size_t) { return static_cast<float>(rng.uniform()); },
      [](float x) { return x > 0.2f && x < 0.3f ? 2.0
                           : x > 0.9f           ? 1.0
                                                : 0.0; });
  const Input input = sample.fit(16, 3);
  for (const float edge : {0.2f, 0.3f, 0.9f}) EXPECT_TRUE(has_knot_within(input, edge - 0.005f, edge + 0.005f)) << edge;
}

TEST(TargetKnots, ResolveTheTailOfAColumnThatIsMostlyZero) {
  core::Rng rng(3, 0, core::Purpose::generator);
  const Sample sample(
      5000, [&](std::size_t) { return rng.below(10) > 0 ? 0.0f : static_cast<float>(1.0 + rng.uniform()); },
      [](float) { return 1.0; });
  const Input input = sample.fit(32);
  EXPECT_GE(std::ranges::count_if(input.knots, [](float k) { return k >= 1.0f; }), 12)
      << "a constant target has no splits, but rows other than zeros are spread over bins";
}

TEST(TargetKnots, KeepEveryNumberWhenThereAreFew) {
  const Sample sample(
      1000, [](std::size_t r) { return static_cast<float>(r % 20); }, [](float x) { return x; });
  EXPECT_EQ(sample.fit(32).knots.size(), 20u);
}

TEST(TargetKnots, MakeNoMoreBinsThanGiven) {
  for (std::size_t numbers = 10; numbers <= 40; ++numbers) {
    const Sample sample(
        1000, [=](std::size_t r) { return static_cast<float>(r % numbers); },
        [](float x) { return std::sin(static_cast<double>(x)); });
    const std::size_t knots = sample.fit(16).knots.size();
    EXPECT_LE(knots, 17u) << numbers << " distinct numbers";
    EXPECT_TRUE(numbers > 17 || knots == numbers) << "each of " << numbers << " is a knot";
  }
}

TEST(TargetKnots, DoNotDependOnTheOriginOfTheTarget) {
  const auto knots_of = [](double origin) {
    core::Rng rng(4, 0, core::Purpose::generator);
    const Sample sample(
        2000, [&](std::size_t) { return static_cast<float>(rng.uniform()); },
        [=](float x) { return origin + std::sin(9.0 * x); });
    return sample.fit(16).knots;
  };
  EXPECT_EQ(knots_of(0.0), knots_of(1048576.0));
}

TEST(TargetKnots, DoNotSeparateASingleRow) {
  const Sample sample(
      200, [](std::size_t r) { return static_cast<float>(r); }, [](float x) { return x == 199.0f ? 1e6 : 0.0; });
  // A leaf has at least ten rows; one of a single row would put a knot at the last numbers but one.
  EXPECT_FALSE(has_knot_within(sample.fit(16), 191.0f, 198.5f));
}

}  // namespace
}  // namespace accrete::data::target_knots_test
