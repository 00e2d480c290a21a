#include "accrete/tune/statistics/friedman.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "accrete/core/error.hpp"
#include "tests/tune/demsar.hpp"

namespace accrete::tune::friedman_test {
namespace {

TEST(FriedmanTest, WorkedExampleOfDemsar) {
  const Friedman test = friedman(demsar_scores(), Better::higher);
  EXPECT_NEAR(test.chi_square, 9.28, 5e-3);
  EXPECT_NEAR(test.iman_davenport_f, 3.69, 5e-3);
  EXPECT_LT(test.iman_davenport_p, 0.05) << "F(3, 39) at .05 is 2.85";
  EXPECT_GT(test.iman_davenport_p, 0.01) << "at .01 it is 4.33";
  EXPECT_NEAR(test.p, 0.02580749670706328, 1e-12) << "scipy.stats.chi2.sf";
  EXPECT_NEAR(test.iman_davenport_p, 0.019823006192249155, 1e-12) << "scipy.stats.f.sf";
  EXPECT_LT(test.p, 0.05) << "chi-square(3) at .05 is 7.81";
  EXPECT_GT(test.p, 0.025) << "at .025 it is 9.35";
}

TEST(FriedmanTest, NoDifferenceAndCompleteAgreement) {
  const Friedman same = friedman(core::Matrix<double>(6, 3, 1.0), Better::lower);
  EXPECT_DOUBLE_EQ(same.chi_square, 0.0);
  EXPECT_EQ(same.p, 1.0);
  EXPECT_EQ(same.iman_davenport_p, 1.0);

  core::Matrix<double> agreed(5, 3);
  for (std::size_t r = 0; r < 5; ++r)
    for (std::size_t c = 0; c < 3; ++c) agreed(r, c) = static_cast<double>(c);
  const Friedman all = friedman(agreed, Better::lower);
  EXPECT_NEAR(all.chi_square, 10.0, 1e-12) << "data sets times (methods - 1)";
  EXPECT_NEAR(all.p, std::exp(-5.0), 1e-12);
  EXPECT_TRUE(std::isinf(all.iman_davenport_f));
  EXPECT_EQ(all.iman_davenport_p, 0.0);
}

TEST(FriedmanTest, Refusals) {
  EXPECT_THROW(friedman(core::Matrix<double>(1, 3), Better::lower), core::UsageError);
  EXPECT_THROW(friedman(core::Matrix<double>(3, 1), Better::lower), core::UsageError);
}

}  // namespace
}  // namespace accrete::tune::friedman_test
