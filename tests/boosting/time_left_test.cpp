// The estimate of the time a fit still takes.

#include "accrete/boosting/choose/time_left.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace accrete::boosting::time_left_test {
namespace {

TEST(TimeLeft, IsExactAtAConstantPace) {
  TimeLeft time;
  for (double second = 0.1; second < 10.0; second += 0.1) {
    const TimeEstimate now = time.at({10.0 * second, 100.0}, second);
    EXPECT_NEAR(now.seconds_left, 10.0 - second, 1e-9);
    EXPECT_NEAR(now.fraction, second / 10.0, 1e-9);
  }
}

TEST(TimeLeft, FollowsAPaceThatChanges) {
  TimeLeft time;
  for (double second = 0.1; second < 2.0; second += 0.1) time.at({50.0 * second, 200.0}, second);
  // Ten times as slow from here on: 100 units of work take 20 seconds.
  for (double second = 2.0; second < 21.5; second += 0.1) {
    const double left = time.at({100.0 + 5.0 * (second - 2.0), 200.0}, second).seconds_left;
    if (second > 4.5) {
      EXPECT_NEAR(left, 22.0 - second, 0.3 * (22.0 - second) + 0.1) << second;
    }
  }
}

TEST(TimeLeft, MeasuresANewPhaseByItself) {
  TimeLeft time;
  for (double second = 0.5; second <= 10.0; second += 0.5) time.at({second, 20.0}, second);
  time.begin_phase(10.0);  // from here on ten times as fast
  EXPECT_NEAR(time.at({11.0, 20.0}, 10.1).seconds_left, 0.9, 1e-6);
}

TEST(TimeLeft, FollowsTheLastHalfOfAPhase) {
  TimeLeft time;
  time.with_seconds_left(50.0, 100.0);
  time.begin_phase(100.0);
  double done = 0.0;
  // Steps that get faster: 1, 1/2, 1/3, ... seconds.
  double seconds = 100.0, left = 0.0;
  for (int step = 1; step <= 200; ++step) left = time.at({done += 1.0, 400.0}, seconds += 1.0 / step).seconds_left;
  const double mean_pace = (seconds - 100.0) / 200.0;
  EXPECT_LT(left, 0.6 * 200.0 * mean_pace);
}

TEST(TimeLeft, NeverExceedsTheLimit) {
  TimeLeft time(5.0);
  EXPECT_NEAR(time.at({1.0, 1e6}, 1.0).seconds_left, 4.0, 1e-9);
  EXPECT_NEAR(time.at({2.0, 1e6}, 3.0).fraction, 0.6, 1e-9);
  EXPECT_EQ(time.at({3.0, 1e6}, 6.0).seconds_left, 0.0);
}

TEST(TimeLeft, HasAFractionThatNeverFalls) {
  TimeLeft time;
  const double before = time.at({50.0, 100.0}, 1.0).fraction;
  EXPECT_GE(time.at({51.0, 1000.0}, 1.1).fraction, before);
  EXPECT_EQ(time.done(), 51.0);
}

TEST(TimeLeft, IsUnknownBeforeTheFirstStep) {
  TimeLeft time;
  EXPECT_TRUE(std::isnan(time.at({0.0, 100.0}, 1.0).seconds_left));
  EXPECT_EQ(time.at({0.0, 100.0}, 2.0).fraction, 0.0);
}

TEST(TimeLeft, TakesAnEstimateOfTheWorkItself) {
  TimeLeft time(10.0);
  EXPECT_TRUE(std::isnan(time.with_seconds_left(std::nan(""), 1.0).seconds_left));
  EXPECT_NEAR(time.with_seconds_left(3.0, 1.0).fraction, 0.25, 1e-9);
  EXPECT_NEAR(time.with_seconds_left(30.0, 4.0).seconds_left, 6.0, 1e-9) << "the limit";
  time.begin_phase(5.0);
  EXPECT_NEAR(time.at({2.0, 8.0}, 6.0).seconds_left, 3.0, 1e-9) << "the next phase must be estimated from its own pace";
}

TEST(ExpectedSteps, IsBetweenPatienceAndTheMax) {
  EXPECT_DOUBLE_EQ(expected_steps(100, 100, 0, 400), 200.0);   // still improving: the geometric mean
  EXPECT_DOUBLE_EQ(expected_steps(100, 60, 40, 400), 100.0);   // has waited long enough
  EXPECT_DOUBLE_EQ(expected_steps(400, 400, 50, 400), 400.0);  // no room
  const double waiting = expected_steps(100, 80, 40, 400);
  EXPECT_GT(waiting, 120.0);
  EXPECT_LT(waiting, expected_steps(100, 100, 40, 400));
}

}  // namespace
}  // namespace accrete::boosting::time_left_test
