#include "accrete/config/learning_rate_schedule.hpp"

#include <gtest/gtest.h>

#include "accrete/config/preset.hpp"

namespace accrete::config::learning_rate_schedule_test {
namespace {

TEST(LearningRateSchedule, FallsToTheLearningRateAndStaysThere) {
  const LearningRateSchedule rate{0.1, 0.4};
  EXPECT_DOUBLE_EQ(rate.at(0), 0.4);
  EXPECT_DOUBLE_EQ(rate.at(1), 0.2);
  EXPECT_DOUBLE_EQ(rate.at(2), 0.4 / 3);
  for (const std::size_t step : {3, 4, 1000}) EXPECT_DOUBLE_EQ(rate.at(step), 0.1);
  for (const std::size_t step : {0, 1, 9}) EXPECT_DOUBLE_EQ((LearningRateSchedule{0.3, 0.0}.at(step)), 0.3);
  EXPECT_DOUBLE_EQ((LearningRateSchedule{0.5, 0.4}.at(0)), 0.5) << "never below the learning rate";
}

TEST(LearningRateSchedule, IsConstantIfTheLearningRateIsGiven) {
  EXPECT_GT(configure("default", data::Task::binary).first_rate, 0.1);
  const Config given{.learning_rate = 0.2}, both{.learning_rate = 0.2, .first_rate = 0.9};
  EXPECT_EQ(configure("default", data::Task::binary, given).first_rate, 0.0);
  EXPECT_EQ(configure("default", data::Task::binary, both).first_rate, 0.9);
  EXPECT_EQ(configure("paper", data::Task::binary).first_rate, 0.0);
}

}  // namespace
}  // namespace accrete::config::learning_rate_schedule_test
