#include "accrete/tune/statistics/nemenyi.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "accrete/core/error.hpp"

namespace accrete::tune::nemenyi_test {
namespace {

TEST(Nemenyi, TableOfDemsar) {
  const double at_05[] = {1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164};
  const double at_10[] = {1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920};
  // The table was made from studentised ranges rounded to two or three digits: the last one printed is off by up to 1.
  for (std::size_t k = 2; k <= 10; ++k) {
    EXPECT_NEAR(nemenyi_q(k, 0.05), at_05[k - 2], 1.1e-3) << k;
    EXPECT_NEAR(nemenyi_q(k, 0.10), at_10[k - 2], 1.1e-3) << k;
  }
}

TEST(Nemenyi, PublishedDistances) {
  // The paper of the boosted networks cuts its distances off after two digits: 1.4786, 1.7297, 2.8497.
  const auto cut = [](double x) { return std::floor(100.0 * x) / 100.0; };
  EXPECT_DOUBLE_EQ(cut(critical_distance(6, 26, 0.05)), 1.47);
  EXPECT_DOUBLE_EQ(cut(critical_distance(6, 19, 0.05)), 1.72);
  EXPECT_DOUBLE_EQ(cut(critical_distance(6, 7, 0.05)), 2.84);
  EXPECT_NEAR(critical_distance(4, 14, 0.05), 1.25, 0.005);
}

TEST(Nemenyi, ManyDigits) {
  // scipy.stats.studentized_range.isf(level, k, inf) / sqrt(2)
  EXPECT_NEAR(nemenyi_q(3, 0.05), 2.343700586378409, 1e-9);
  EXPECT_NEAR(nemenyi_q(10, 0.05), 3.163683577053373, 1e-9);
  EXPECT_NEAR(nemenyi_q(6, 0.10), 2.588520601922348, 1e-9);
}

TEST(Nemenyi, Refusals) {
  EXPECT_THROW(critical_distance(6, 0, 0.05), core::UsageError);
  EXPECT_THROW(critical_distance(1, 5, 0.05), core::UsageError);
  EXPECT_THROW(critical_distance(6, 5, 0.0), core::UsageError);
}

}  // namespace
}  // namespace accrete::tune::nemenyi_test
