#include "accrete/data/split.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "accrete/core/error.hpp"
#include "tests/thrown_message.hpp"

namespace accrete::data::split_test {
namespace {

/// Class c has sizes[c] rows; classes are mixed along the rows.
std::vector<double> labels_of(std::vector<std::size_t> sizes) {
  std::vector<double> labels;
  for (bool more = true; more;) {
    more = false;
    for (std::size_t c = 0; c < sizes.size(); ++c)
      if (sizes[c] > 0) labels.push_back(static_cast<double>(c)), --sizes[c], more = true;
  }
  return labels;
}

std::size_t count_of(const std::vector<std::size_t>& rows, const std::vector<double>& labels, double label) {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [&](std::size_t r) { return labels[r] == label; }));
}

void expect_partition(const Split& split, std::size_t rows) {
  EXPECT_TRUE(std::is_sorted(split.train.begin(), split.train.end()));
  EXPECT_TRUE(std::is_sorted(split.test.begin(), split.test.end()));
  std::vector<int> times(rows, 0);
  for (const std::size_t r : split.train) ++times.at(r);
  for (const std::size_t r : split.test) ++times.at(r);
  EXPECT_EQ(std::count(times.begin(), times.end(), 1), static_cast<long>(rows));
}

TEST(Holdout, RoundsTheSizeAndLeavesNeitherSideEmpty) {
  for (const std::size_t rows : {2u, 3u, 10u, 101u})
    for (const double fraction : {0.001, 0.1, 0.25, 0.5, 0.999}) {
      const Split split = holdout(rows, {}, fraction, 1);
      expect_partition(split, rows);
      const double wanted = std::round(fraction * static_cast<double>(rows));
      EXPECT_EQ(split.test.size(), std::clamp<std::size_t>(static_cast<std::size_t>(wanted), 1, rows - 1));
    }
}

TEST(Holdout, KeepsClassProportions) {
  const auto labels = labels_of({700, 200, 95, 5});
  const Split split = holdout(labels.size(), labels, 0.2, 3);
  expect_partition(split, labels.size());
  EXPECT_EQ(split.test.size(), 200u);
  EXPECT_EQ(count_of(split.test, labels, 0), 140u);
  EXPECT_EQ(count_of(split.test, labels, 1), 40u);
  EXPECT_EQ(count_of(split.test, labels, 2), 19u);
  EXPECT_EQ(count_of(split.test, labels, 3), 1u);
}

TEST(Holdout, IsWithinOneRowOfTheShareOfEachClass) {
  for (const auto& sizes : std::vector<std::vector<std::size_t>>{{3, 3, 3}, {1, 9}, {7, 5, 3, 1}, {50, 1, 1}})
    for (const double fraction : {0.1, 0.3, 0.5}) {
      const auto labels = labels_of(sizes);
      const Split split = holdout(labels.size(), labels, fraction, 9);
      expect_partition(split, labels.size());
      for (std::size_t c = 0; c < sizes.size(); ++c) {
        const double share = static_cast<double>(split.test.size() * sizes[c]) / static_cast<double>(labels.size());
        const auto got = static_cast<double>(count_of(split.test, labels, static_cast<double>(c)));
        EXPECT_LE(std::abs(got - share), 1.0);
      }
    }
}

TEST(Holdout, KeepsARareClassInTraining) {
  const auto labels = labels_of({10, 10, 1});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Split split = holdout(labels.size(), labels, 0.5, seed);
    EXPECT_EQ(count_of(split.train, labels, 2), 1u);
  }
}

TEST(Holdout, DependsOnTheSeed) {
  EXPECT_EQ(holdout(100, {}, 0.3, 5).test, holdout(100, {}, 0.3, 5).test);
  EXPECT_NE(holdout(100, {}, 0.3, 5).test, holdout(100, {}, 0.3, 6).test);
}

TEST(Holdout, RejectsInvalidFractionsAndSizes) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double fraction : {0.0, 1.0, -0.5, 2.0, nan}) EXPECT_THROW(holdout(10, {}, fraction, 1), core::UsageError);
  EXPECT_THROW(holdout(1, {}, 0.5, 1), core::UsageError);
  EXPECT_THROW(holdout(10, labels_of({3, 3}), 0.5, 1), core::UsageError);
}

TEST(KFolds, TestsEveryRowOnce) {
  for (const std::size_t rows : {2u, 5u, 10u, 103u})
    for (const std::size_t folds : {std::size_t{2}, std::size_t{5}, rows}) {
      if (folds > rows) continue;
      std::vector<int> tested(rows, 0);
      const auto splits = k_folds(rows, {}, folds, 1, 0);
      ASSERT_EQ(splits.size(), folds);
      for (const Split& split : splits) {
        expect_partition(split, rows);
        EXPECT_GE(split.test.size(), rows / folds);
        EXPECT_LE(split.test.size(), (rows + folds - 1) / folds);
        for (const std::size_t r : split.test) ++tested[r];
      }
      EXPECT_EQ(std::count(tested.begin(), tested.end(), 1), static_cast<long>(rows));
    }
}

TEST(KFolds, BalancesFoldsPerClassAndInTotal) {
  const auto labels = labels_of({33, 47, 11});
  const std::size_t folds = 5;
  for (const Split& split : k_folds(labels.size(), labels, folds, 7, 2)) {
    expect_partition(split, labels.size());
    EXPECT_NEAR(static_cast<double>(split.test.size()), 91.0 / 5.0, 1.0);
    EXPECT_NEAR(static_cast<double>(count_of(split.test, labels, 0)), 33.0 / 5.0, 0.99);
    EXPECT_NEAR(static_cast<double>(count_of(split.test, labels, 1)), 47.0 / 5.0, 0.99);
    EXPECT_NEAR(static_cast<double>(count_of(split.test, labels, 2)), 11.0 / 5.0, 0.99);
  }
}

TEST(KFolds, DependsOnSeedAndRepeat) {
  const auto first = [](std::uint64_t seed, std::uint64_t repeat) { return k_folds(60, {}, 3, seed, repeat)[0].test; };
  EXPECT_EQ(first(1, 0), first(1, 0));
  EXPECT_NE(first(1, 0), first(2, 0));
  EXPECT_NE(first(1, 0), first(1, 1));
}

TEST(KFolds, RejectsInvalidFoldCounts) {
  EXPECT_THROW(k_folds(10, {}, 1, 1, 0), core::UsageError);
  EXPECT_THROW(k_folds(10, {}, 11, 1, 0), core::UsageError);
  EXPECT_THROW(k_folds(10, labels_of({3, 3}), 2, 1, 0), core::UsageError);
  EXPECT_EQ(thrown_message<core::DataError>([] {
              k_folds(7, labels_of({4, 3}), 5, 1, 0);
            }),
            "every class has fewer rows than the 5 folds; use fewer folds");
}

TEST(KFolds, SpreadsAClassWithFewerRowsThanFolds) {
  const auto labels = labels_of({10, 3});
  std::size_t with_rare = 0;
  for (const Split& split : k_folds(13, labels, 5, 1, 0)) {
    EXPECT_TRUE(split.test.size() == 2 || split.test.size() == 3);
    const auto rare = std::ranges::count_if(split.test, [&](std::size_t r) { return labels[r] == 1.0; });
    EXPECT_LE(rare, 1);
    with_rare += static_cast<std::size_t>(rare);
  }
  EXPECT_EQ(with_rare, 3u);
}

}  // namespace
}  // namespace accrete::data::split_test
