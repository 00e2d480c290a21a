// The thresholds of exits, from evidence that is made up.

#include "accrete/boosting/dial/threshold_family.hpp"

#include <gtest/gtest.h>

namespace accrete::boosting::threshold_family_test {
namespace {

constexpr std::size_t rows = 101;

/// Row r shows r / 100 at the first exit and half of it at the second; what becomes of it is given.
ExitEvidence make_evidence(double first_change, double second_change) {
  ExitEvidence evidence{
      core::Matrix<double>(2, rows), core::Matrix<double>(2, rows), core::Matrix<std::uint8_t>(2, rows), {}};
  for (std::size_t r = 0; r < rows; ++r) {
    evidence.exit_signal(0, r) = static_cast<double>(r) / 100.0;
    evidence.exit_signal(1, r) = 0.5 * evidence.exit_signal(0, r);
    evidence.change(0, r) = first_change * evidence.exit_signal(0, r);
    evidence.change(1, r) = second_change * evidence.exit_signal(1, r);
  }
  return evidence;
}

std::vector<std::size_t> all_rows() {
  std::vector<std::size_t> result(rows);
  for (std::size_t r = 0; r < rows; ++r) result[r] = r;
  return result;
}

TEST(ThresholdFamily, AMarginMustBeWhatMostRowsLoseTimesTheFactor) {
  const ThresholdFamily family(make_evidence(1.0, 0.5), all_rows());
  const auto at = family.thresholds(2.0);  // 95 % of the rows lose at most 0.95, and 0.95 / 4
  ASSERT_EQ(at.size(), 2u);
  EXPECT_NEAR(at[0], 2.0 * 0.95, 1e-12);
  EXPECT_NEAR(at[1], 2.0 * 0.95 / 4.0, 1e-12);
  EXPECT_TRUE(family.stops(2.0, at[0]));
  EXPECT_FALSE(family.stops(1.8, at[0]));
}

TEST(ThresholdFamily, AMarginThatGrowsKeepsAThresholdAboveZero) {
  const auto at = ThresholdFamily(make_evidence(-1.0, 0.0), all_rows()).thresholds(1.0);
  EXPECT_NEAR(at[0], 0.05, 1e-12) << "a tenth of the median change";
  EXPECT_GT(at[1], 0.0);
}

TEST(ThresholdFamily, ARegressionStopsWhereItMovesLittle) {
  ExitEvidence evidence = make_evidence(1.0, 3.0);
  evidence.tolerances = {1.0};
  const ThresholdFamily family(evidence, all_rows());
  const auto at = family.thresholds(0.5);
  ASSERT_EQ(at.size(), 2u);
  EXPECT_FALSE(family.stops(0.0, at[0])) << "the first exit has nothing to compare with";
  // The usual movement at the second exit is the median, 0.25; change / (exit signal + usual) is largest for the last
  // rows.
  const double scale = 3.0 * 0.495 / (0.495 + 0.25);
  EXPECT_NEAR(at[1], 1.0 / (0.5 * scale) - 0.25, 1e-12);
  EXPECT_TRUE(family.stops(at[1] - 1e-6, at[1]));
  EXPECT_FALSE(family.stops(at[1] + 1e-6, at[1]));
}

TEST(ThresholdFamily, CountsRowsThatStopWithAnotherPrediction) {
  ExitEvidence evidence = make_evidence(1.0, 1.0);
  for (std::size_t r = 0; r < rows; ++r) evidence.differs(0, r) = r < 60, evidence.differs(1, r) = 1;
  const ThresholdFamily family(evidence, all_rows());
  const std::vector<double> thresholds{0.5, 0.2};  // rows 50 to 100 stop first, 40 to 49 second
  const std::vector<std::size_t> units{1, 10, 100};
  const ExitOutcome outcome = try_thresholds(evidence, family, thresholds, all_rows(), units);
  EXPECT_EQ(outcome.differed, 10u + 10u);
  EXPECT_NEAR(outcome.units, (51.0 * 1 + 10.0 * 10 + 40.0 * 100) / 101.0, 1e-9);
}

TEST(Factors, FallFrom1024ToOne32ndByNinePerCentEach) {
  const std::vector<double> all = factors();
  EXPECT_EQ(all.front(), 1024.0);
  EXPECT_EQ(all.back(), 1.0 / 32.0);
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_NEAR(all[i - 1] / all[i], 1.09, 0.005) << i;
}

}  // namespace
}  // namespace accrete::boosting::threshold_family_test
