#include "accrete/boosting/rate.hpp"

#include <gtest/gtest.h>

#include "accrete/boosting/preset.hpp"
#include "tests/boosting/samples.hpp"

namespace accrete::boosting {
namespace {

TEST(Rate, FallsToTheLearningRateAndStaysThere) {
  const Rate rate{0.1, 0.4};
  EXPECT_DOUBLE_EQ(rate.of_step(0), 0.4);
  EXPECT_DOUBLE_EQ(rate.of_step(1), 0.2);
  EXPECT_DOUBLE_EQ(rate.of_step(2), 0.4 / 3);
  for (const std::size_t step : {3, 4, 1000}) EXPECT_DOUBLE_EQ(rate.of_step(step), 0.1);
  for (const std::size_t step : {0, 1, 9}) EXPECT_DOUBLE_EQ((Rate{0.3, 0.0}.of_step(step)), 0.3);
  EXPECT_DOUBLE_EQ((Rate{0.5, 0.4}.of_step(0)), 0.5) << "never below the learning rate";
}

/// The first step of two fits that differ in nothing else is the same but for its size.
TEST(Rate, MultipliesWhatAStepFound) {
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(c.kind + " " + c.objective);
    const Sample s = make_sample(c.kind, 80);
    const auto steady = train_on(s, config_of(c, s, {{"learning_rate", "0.1"}, {"first_rate", "0"}, {"units", "2"}}));
    const auto early = train_on(s, config_of(c, s, {{"learning_rate", "0.1"}, {"first_rate", "0.3"}, {"units", "2"}}));
    ASSERT_EQ(steady.network.hidden_weights().size(), early.network.hidden_weights().size());
    bool moved = false;
    for (std::size_t i = 0; i < steady.network.output_weights().size(); ++i) {
      const float small = steady.network.output_weights()[i], large = early.network.output_weights()[i];
      EXPECT_NEAR(large, 3.0f * small, 1e-5f * std::abs(large)) << i;
      moved = moved || small != 0.0f;
    }
    EXPECT_TRUE(moved);
  }
}

TEST(Rate, ARateThatIsGivenIsTheRateOfEveryStep) {
  EXPECT_GT(configure("default", data::Task::binary, {}).first_rate, 0.1);
  const std::vector<Setting> given{{"learning_rate", "0.2"}}, both{{"learning_rate", "0.2"}, {"first_rate", "0.9"}};
  EXPECT_EQ(configure("default", data::Task::binary, given).first_rate, 0.0);
  EXPECT_EQ(configure("default", data::Task::binary, both).first_rate, 0.9);
  EXPECT_EQ(configure("paper", data::Task::binary, {}).first_rate, 0.0);
}

}  // namespace
}  // namespace accrete::boosting
