#include "accrete/boosting/dial/risk_control.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "accrete/core/random.hpp"

namespace accrete::boosting::risk_control_test {
namespace {

TEST(RiskControl, PValuesAreExactBinomialTails) {
  EXPECT_NEAR(binomial_p_value(2, 10, 0.5), 56.0 / 1024.0, 1e-12);
  EXPECT_NEAR(binomial_p_value(0, 3, 0.1), 0.729, 1e-12);
  EXPECT_NEAR(binomial_p_value(1, 4, 0.25), 0.73828125, 1e-12);
  EXPECT_EQ(binomial_p_value(7, 7, 0.3), 1.0);
  // A million rows: the terms alone would underflow. Poisson(1000) at its median is 0.5084 (R: ppois(1000, 1000)).
  EXPECT_NEAR(binomial_p_value(1000, 1'000'000, 0.001), 0.5084, 1e-3);
}

TEST(RiskControl, NeedsTheRowsThatZeroErrorsNeed) {
  EXPECT_EQ(min_test_rows(0.001, 0.95), 2995);
  EXPECT_EQ(min_test_rows(0.01, 0.95), 299);
  EXPECT_EQ(min_test_rows(0.5, 0.5), 1);
  EXPECT_LE(binomial_p_value(0, 2995, 0.001), 0.05);
  EXPECT_GT(binomial_p_value(0, 2994, 0.001), 0.05);
}

TEST(RiskControl, StopsAtTheFirstSettingThatFails) {
  const std::vector<std::size_t> wrong{0, 0, 1, 90, 0};
  std::size_t asked = 0;
  const auto wrong_with = [&](std::size_t i) {
    ++asked;
    return wrong[i];
  };
  // 1 of 500 rows: P(Binomial(500, 0.01) <= 1) = 0.04; setting 4 is not tested, although none of its rows is wrong.
  EXPECT_EQ(count_safe(wrong.size(), 500, {0.01, 0.95}, wrong_with), 3);
  EXPECT_EQ(asked, 4);
  EXPECT_EQ(count_safe(wrong.size(), 2995, {0.001, 0.95}, [](std::size_t) { return std::size_t{0}; }), 5);
  EXPECT_EQ(count_safe(wrong.size(), 2994, {0.001, 0.95}, [](std::size_t) { return std::size_t{0}; }), 0);
}

TEST(RiskControl, ChoosesASettingAboveTheLimitAtMostAsOftenAsPromised) {
  // Setting i is wrong for a share of (i + 1) / 500 of the rows, each row from a threshold on.
  constexpr std::size_t settings = 12, rows = 600, trials = 2000;
  constexpr RiskLimit limit{0.01, 0.9};
  core::Rng rng(3, 0, core::Purpose::generator);
  std::size_t broken = 0, useful = 0;
  for (std::size_t trial = 0; trial < trials; ++trial) {
    std::vector<std::size_t> wrong(settings);
    for (std::size_t r = 0; r < rows; ++r) {
      const double place = rng.uniform() * 500.0;
      for (std::size_t i = 0; i < settings; ++i) wrong[i] += place < static_cast<double>(i + 1) ? 1 : 0;
    }
    const std::size_t safe = count_safe(settings, rows, limit, [&](std::size_t i) { return wrong[i]; });
    broken += safe > 5 ? 1 : 0;  // setting 4 has exactly the limit, setting 5 more
    useful += safe > 0 ? 1 : 0;
  }
  EXPECT_LT(static_cast<double>(broken) / trials, 0.11);
  EXPECT_GT(static_cast<double>(useful) / trials, 0.8);
}

}  // namespace
}  // namespace accrete::boosting::risk_control_test
