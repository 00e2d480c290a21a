#include "accrete/tune/statistics/wilcoxon.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "accrete/core/error.hpp"
#include "tests/tune/demsar.hpp"

namespace accrete::tune::wilcoxon_test {
namespace {

using List = std::vector<double>;

TEST(WilcoxonTest, ExactOnDarwinsPlants) {
  const Wilcoxon test = wilcoxon(List{6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75});
  EXPECT_TRUE(test.exact);
  EXPECT_EQ(test.plus, 96.0);
  EXPECT_EQ(test.minus, 24.0);
  EXPECT_DOUBLE_EQ(test.p, 0.041259765625) << "as scipy.stats.wilcoxon has it";
}

TEST(WilcoxonTest, ExactWhenAllSignsAgree) {
  EXPECT_DOUBLE_EQ(wilcoxon(List{1, 2, 3, 4, 5}).p, 2.0 / 32.0);
  EXPECT_DOUBLE_EQ(wilcoxon(List{-1, -2, -3, -4, -5}).p, 2.0 / 32.0);
  EXPECT_DOUBLE_EQ(wilcoxon(List{3}).p, 1.0);
}

TEST(WilcoxonTest, ApproximateWithTiesAndZeros) {
  const int count[] = {1, 4, 16, 15, 8, 4, 5, 1, 2};
  List differences;
  for (int i = 0; i < 9; ++i) differences.insert(differences.end(), static_cast<std::size_t>(count[i]), i - 4.0);
  const Wilcoxon test = wilcoxon(differences);
  EXPECT_FALSE(test.exact);
  EXPECT_EQ(std::min(test.plus, test.minus), 441.0);
  EXPECT_NEAR(test.p, 0.0032145343172473055, 1e-14) << "as scipy.stats.wilcoxon has it with zero_method zsplit";
}

TEST(WilcoxonTest, WorkedExampleOfDemsar) {
  const auto scores = demsar_scores();
  List differences;
  // Rounded to what is printed: 0.768 - 0.763 and the like are equal there and not in binary.
  for (std::size_t r = 0; r < 14; ++r) differences.push_back(std::round(1e4 * (scores(r, 1) - scores(r, 0))));
  const Wilcoxon test = wilcoxon(differences);
  EXPECT_EQ(test.plus, 93.0);
  EXPECT_EQ(test.minus, 12.0);
  EXPECT_LT(test.p, 0.05);
}

/// The approximation is close to the exact figure where both can be had.
TEST(WilcoxonTest, ApproximationMeetsTheCount) {
  List differences;
  for (int i = 1; i <= 50; ++i) differences.push_back(i % 3 == 0 ? -i : i);
  const double exact = wilcoxon(differences).p;
  differences.push_back(51);
  EXPECT_FALSE(wilcoxon(differences).exact);
  differences.back() = 50.0;  // a tie
  EXPECT_FALSE(wilcoxon(differences).exact);
  EXPECT_NEAR(wilcoxon(differences).p, exact, 0.03);
}

TEST(WilcoxonTest, NothingIsNoDifference) {
  EXPECT_EQ(wilcoxon(List{0, 0, 0}).p, 1.0);
  EXPECT_THROW(wilcoxon({}), core::DataError);
  EXPECT_THROW(wilcoxon(List{1, NAN}), core::DataError);
}

}  // namespace
}  // namespace accrete::tune::wilcoxon_test
