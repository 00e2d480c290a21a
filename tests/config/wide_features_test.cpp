#include "accrete/config/wide_features.hpp"

#include <gtest/gtest.h>

#include <array>

namespace accrete::config::wide_features_test {
namespace {

TEST(WideFeatures, FewRowsGetSmallStepsOnAllFeatures) {
  const Config config = for_wide_features({.units = 500}, "default", {100, 1280, 10});
  EXPECT_EQ(config.units_per_step, 20u);
  EXPECT_EQ(config.activation, "tanh");
  EXPECT_EQ(config.feature_fraction, 1.0);
  EXPECT_FALSE(config.learning_rate) << "the preset's, which starts higher";
  EXPECT_EQ(config.alpha, 57.0);
}

TEST(WideFeatures, ManyRowsGetLargeStepsOnHalfOfTheFeatures) {
  const Config config = for_wide_features({.units = 500}, "default", {50'000, 1280, 10});
  EXPECT_EQ(config.units_per_step, 50u);
  EXPECT_EQ(config.activation, "relu");
  EXPECT_EQ(config.feature_fraction, 0.5);
  EXPECT_EQ(config.learning_rate, 0.2);
  EXPECT_EQ(config.alpha, 24.8);
}

TEST(WideFeatures, ThePenaltyDependsOnRowsFeaturesAndClasses) {
  EXPECT_EQ(wide_feature_alpha({1'000, 1280, 10}), 99.0);
  EXPECT_EQ(wide_feature_alpha({1'000, 128, 10}), 24.8) << "a quarter for half of 256 features";
  EXPECT_EQ(wide_feature_alpha({1'000, 1280, 2}), 275.0);
  EXPECT_EQ(wide_feature_alpha({10'000, 1280, 10}), 39.6);
}

TEST(WideFeatures, GivenValuesAreKept) {
  const Config given{.units = 12, .learning_rate = 0.4, .activation = "logistic", .alpha = 3.0};
  const Config config = for_wide_features(given, "default", {50'000, 1280, 10});
  EXPECT_EQ(config.units_per_step, 12u) << "not more than all units";
  EXPECT_EQ(config.learning_rate, 0.4);
  EXPECT_EQ(config.activation, "logistic");
  EXPECT_EQ(config.alpha, 3.0);
}

TEST(WideFeatures, OtherRulesHoldForFewFeaturesRegressionSolversPresetsAndAuto) {
  const FeatureShape wide{1'000, 64, 3};
  EXPECT_NE(for_wide_features({}, "default", wide), Config{});
  EXPECT_EQ(for_wide_features({}, "default", {1'000, 63, 3}), Config{});
  EXPECT_EQ(for_wide_features({}, "default", {1'000, 64, 0}), Config{});
  EXPECT_EQ(for_wide_features({}, "paper", wide), Config{});
  for (const Config& given : {Config{.solver = "adam"}, Config{.automatic = true}})
    EXPECT_EQ(for_wide_features(given, "default", wide), given);
}

TEST(WideFeatures, AFitHasLearnedIfItsLossFell) {
  EXPECT_FALSE(has_learned(std::array{0.7, 0.695, 0.69}));
  EXPECT_TRUE(has_learned(std::array{0.7, 0.695, 0.5}));
  EXPECT_TRUE(has_learned(std::array{0.0})) << "a constant target needs no step";
}

}  // namespace
}  // namespace accrete::config::wide_features_test
