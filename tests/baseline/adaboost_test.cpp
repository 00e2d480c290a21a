#include "accrete/baseline/adaboost.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "accrete/network/plain.hpp"
#include "tests/boosting/samples.hpp"

namespace accrete::baseline::adaboost_test {
namespace {

ResolvedConfig small_networks(std::uint64_t estimators = 40, std::uint64_t units = 2) {
  ResolvedConfig config;
  config.solver = "lbfgs";
  config.activation = "tanh";
  config.estimators = estimators;
  config.units_per_step = units;
  config.max_iter = 50;
  return config;
}

AdaBoostResult boost_sample(const boosting::Sample& s, const ResolvedConfig& config, const char* loss,
                            std::size_t threads = 1, const MemberObserver& observe = {}) {
  core::Workers workers(threads);
  const auto activation = activation::Activation::named(config.activation);
  return train_adaboost(config, {s.data, s.outputs, loss::Loss::named(loss), activation, workers}, observe);
}

TEST(AdaBoost, VotesAsSammeAndR2Do) {
  for (const auto& [kind, loss] :
       std::map<std::string, const char*>{{"binary", "logistic"}, {"three", "softmax"}, {"number", "squared"}}) {
    const auto sample = boosting::make_sample(kind, 300);
    const AdaBoostResult boosted = boost_sample(sample, small_networks(), loss);
    ASSERT_EQ(boosted.members.size(), boosted.errors.size());
    EXPECT_GT(boosted.members.size(), 5u) << kind;
    const double bonus = kind == "three" ? std::log(2.0) : 0.0;
    for (std::size_t m = 0; m < boosted.members.size(); ++m) {
      const double e = boosted.errors[m];
      EXPECT_NEAR(boosted.members[m].weight, std::log((1 - e) / e) + bonus, 1e-9) << kind << " network " << m;
      EXPECT_LT(e, kind == "three" ? 2.0 / 3 : 0.5) << "no better than chance";
    }
  }
}

/// For two classes: the error of the second network is measured with the weights that the first one leaves.
TEST(AdaBoost, RaisesTheWeightOfRowsTheFirstNetworkGotWrong) {
  const auto sample = boosting::make_sample("binary", 400);
  const AdaBoostResult boosted = boost_sample(sample, small_networks(2), "logistic");
  ASSERT_EQ(boosted.members.size(), 2u);
  core::Workers workers(1);
  const auto first = network::forward(boosted.members[0].network, sample.data.features.stored(), workers);
  const auto second = network::forward(boosted.members[1].network, sample.data.features.stored(), workers);
  double wrong_first = 0.0, wrong_second = 0.0, total = 0.0;
  for (std::size_t r = 0; r < 400; ++r) {
    const bool label = sample.data.targets(r, 0) == 1.0;
    const bool missed = (first(r, 0) > 0) != label;
    const double weight = missed ? std::exp(boosted.members[0].weight) : 1.0;
    wrong_first += missed / 400.0;
    wrong_second += (second(r, 0) > 0) != label ? weight : 0.0;
    total += weight;
  }
  EXPECT_NEAR(boosted.errors[0], wrong_first, 1e-12);
  EXPECT_NEAR(boosted.errors[1], wrong_second / total, 1e-12);
}

/// Regression uses Drucker's weights.
TEST(AdaBoost, LowersTheWeightOfSmallRegressionErrors) {
  const auto sample = boosting::make_sample("number", 400);
  const AdaBoostResult boosted = boost_sample(sample, small_networks(2), "squared");
  ASSERT_EQ(boosted.members.size(), 2u);
  core::Workers workers(1);
  std::vector<double> weights(400, 1.0 / 400);
  for (std::size_t m = 0; m < 2; ++m) {
    const auto scores = network::forward(boosted.members[m].network, sample.data.features.stored(), workers);
    std::vector<double> wrong(400);
    double largest = 0.0, error = 0.0, total = 0.0;
    for (std::size_t r = 0; r < 400; ++r)
      largest = std::max(largest, wrong[r] = std::abs(static_cast<double>(scores(r, 0)) - sample.data.targets(r, 0)));
    for (std::size_t r = 0; r < 400; ++r) error += weights[r] * wrong[r] / largest;
    EXPECT_NEAR(boosted.errors[m], error, 1e-12) << m;
    for (std::size_t r = 0; r < 400; ++r) total += weights[r] *= std::pow(error / (1 - error), 1 - wrong[r] / largest);
    for (double& w : weights) w /= total;
  }
}

TEST(AdaBoost, DependsOnTheSeedAndNotOnThreads) {
  const auto sample = boosting::make_sample("three", 500);
  ResolvedConfig config = small_networks(6);
  const auto once = boost_sample(sample, config, "softmax").members;
  EXPECT_EQ(boost_sample(sample, config, "softmax", 3).members, once);
  config.seed = 5;
  EXPECT_NE(boost_sample(sample, config, "softmax").members, once);
}

TEST(AdaBoost, StopsAfterANetworkWithoutError) {
  auto sample = boosting::make_sample("binary", 200);
  for (std::size_t r = 0; r < 200; ++r) sample.data.targets(r, 0) = sample.data.features.at(r, 0) > 0 ? 1.0 : 0.0;
  ResolvedConfig config = small_networks(30, 4);
  config.max_iter = 500;
  config.alpha = 0.0;
  config.tolerance = 0.0;
  const AdaBoostResult boosted = boost_sample(sample, config, "logistic");
  EXPECT_EQ(boosted.stop, AdaBoostStop::no_error);
  EXPECT_EQ(boosted.errors.back(), 0.0);
  EXPECT_EQ(boosted.members.back().weight, 1.0);
  EXPECT_LT(boosted.members.size(), 30u);
}

TEST(AdaBoost, StopsBeforeANetworkNoBetterThanChance) {
  auto sample = boosting::make_sample("binary", 60);
  core::Rng coin(9, 0, core::Purpose::generator);
  for (std::size_t r = 0; r < 60; ++r) sample.data.targets(r, 0) = static_cast<double>(coin.below(2));
  ResolvedConfig config = small_networks(200, 1);
  config.max_iter = 2;
  config.alpha = 100.0;
  const AdaBoostResult boosted = boost_sample(sample, config, "logistic");
  EXPECT_EQ(boosted.stop, AdaBoostStop::no_better);
  EXPECT_GE(boosted.members.size(), 1u);
  EXPECT_LT(boosted.members.size(), 200u);
}

TEST(AdaBoost, StopsWhenTheObserverAsks) {
  const AdaBoostResult boosted = boost_sample(boosting::make_sample("binary", 300), small_networks(), "logistic", 1,
                                              [](std::size_t done, double) { return done < 3; });
  EXPECT_EQ(boosted.stop, AdaBoostStop::observer);
  EXPECT_EQ(boosted.members.size(), 3u);
}

}  // namespace
}  // namespace accrete::baseline::adaboost_test
