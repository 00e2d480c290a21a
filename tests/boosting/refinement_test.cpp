// The local search around the best candidate of a large table: which setting is tried next.

#include "accrete/boosting/choose/refinement.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace accrete::boosting::refinement_test {
namespace {

constexpr std::size_t columns = 10;

config::ResolvedConfig start() {
  config::ResolvedConfig config;
  config.alpha = 30.0;
  config.bins = 24;
  config.feature_fraction = 1.0;
  config.max_iter = 50;
  return config;
}

/// The settings tried until none is left. `gains` says whether a setting replaces the best one.
template <class Gains>
std::vector<config::ResolvedConfig> search(const config::Config& given, const Gains& gains,
                                           std::size_t table_columns = columns) {
  config::ResolvedConfig best = start();
  std::vector<config::ResolvedConfig> tried{best};
  while (const auto next = next_refinement(best, tried, given, table_columns)) {
    tried.push_back(next->config);
    if (gains(next->config)) best = next->config;
    if (tried.size() > 20) break;
  }
  return tried;
}

bool never(const config::ResolvedConfig&) {
  return false;
}

TEST(Refinement, TriesEveryNeighbourOnce) {
  const auto tried = search({}, never);
  ASSERT_EQ(tried.size(), 5u);
  EXPECT_EQ(tried[1].feature_fraction, 0.5);
  EXPECT_EQ(tried[2].alpha, 90.0);
  EXPECT_EQ(tried[3].alpha, 10.0);
  EXPECT_EQ(tried[4].max_iter, 100u);
}

TEST(Refinement, ChangesOneSettingAtATime) {
  for (const auto& config : search({}, never))
    EXPECT_LE((config.feature_fraction != 1.0) + (config.alpha != 30.0) + (config.max_iter != 50) + (config.bins != 24),
              1);
}

TEST(Refinement, FollowsThePenaltyWhileItGains) {
  const auto tried = search({}, [](const config::ResolvedConfig& c) { return c.alpha > 30.0 && c.alpha < 800.0; });
  std::vector<double> alphas;
  for (const auto& config : tried)
    if (config.feature_fraction == 1.0 && config.max_iter == 50) alphas.push_back(config.alpha);
  EXPECT_EQ(alphas, (std::vector<double>{30.0, 90.0, 270.0, 810.0})) << "270 is the best; its neighbours were tried";
}

TEST(Refinement, ContinuesFromTheBestSetting) {
  const auto tried = search({}, [](const config::ResolvedConfig& c) { return c.feature_fraction == 0.5; });
  ASSERT_GE(tried.size(), 5u);
  for (std::size_t i = 1; i < tried.size(); ++i) EXPECT_EQ(tried[i].feature_fraction, 0.5) << i;
}

TEST(Refinement, AsksForAGainOnlyWhereTheFitTakesLonger) {
  config::ResolvedConfig best = start();
  std::vector<config::ResolvedConfig> tried{best};
  std::size_t longer = 0;
  while (const auto next = next_refinement(best, tried, {}, columns)) {
    EXPECT_EQ(next->min_gain > 0.0, next->config.max_iter > best.max_iter);
    longer += next->min_gain > 0.0;
    tried.push_back(next->config);
  }
  EXPECT_EQ(longer, 1u);
}

TEST(Refinement, AddsNoIterationsUnderATimeLimit) {
  for (const auto& config : search({.time_limit = 10.0}, never)) EXPECT_EQ(config.max_iter, 50u);
}

TEST(Refinement, RoundsToThreeDigits) {
  EXPECT_EQ(round_to_three_digits(10.0 / 3.0), 3.33);
  EXPECT_EQ(round_to_three_digits(0.055556), 0.0556);
  EXPECT_EQ(round_to_three_digits(1234.0), 1230.0);
  EXPECT_EQ(round_to_three_digits(0.0), 0.0);
}

/// 30, 10 and 3.33: the rounded neighbour of 3.33 is 9.99, which is no new penalty.
TEST(Refinement, TriesNoPenaltyTwice) {
  const auto tried = search({}, [](const config::ResolvedConfig& c) { return c.alpha < 30.0 && c.alpha > 2.0; });
  std::vector<double> alphas;
  for (const auto& config : tried)
    if (config.feature_fraction == 1.0 && config.max_iter == 50) alphas.push_back(config.alpha);
  EXPECT_EQ(alphas, (std::vector<double>{30.0, 90.0, 10.0, 3.33, 1.11}));
}

TEST(Refinement, KeepsGivenParameters) {
  for (const auto& config : search({.feature_fraction = 1.0}, never)) EXPECT_EQ(config.feature_fraction, 1.0);
  for (const auto& config : search({.alpha = 30.0}, never)) EXPECT_EQ(config.alpha, 30.0);
  for (const auto& config : search({.max_iter = 50}, never)) EXPECT_EQ(config.max_iter, 50u);
  EXPECT_EQ(search({.feature_fraction = 1.0, .alpha = 30.0, .max_iter = 50}, never).size(), 1u);
}

/// A step reads at least four columns.
TEST(Refinement, DrawsNoColumnsOfAFew) {
  for (const auto& config : search({}, never, 4)) EXPECT_EQ(config.feature_fraction, 1.0);
}

}  // namespace
}  // namespace accrete::boosting::refinement_test
