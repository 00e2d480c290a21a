#include "accrete/boosting/train.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/boosting/samples.hpp"

namespace accrete::boosting::train_test {
namespace {

TEST(Train, KeepsEveryPrefixExact) {
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(c.kind + " " + c.objective);
    const Sample s = make_sample(c.kind, 150);
    const config::ResolvedConfig config = config_of(c, s, {.subsample = 0.7});
    std::vector<network::Network> as_they_were;
    const auto result = train_on(s, config, 1, nullptr, [&](const StepReport& report) {
      as_they_were.push_back(report.network);
      return true;
    });
    const auto scores = staged(result.network, s);
    ASSERT_EQ(scores.size(), 7u);
    core::Workers workers(1);
    for (std::size_t k = 0; k < scores.size(); ++k) {
      // The curve comes from the scores that the loop keeps.
      EXPECT_NEAR(mean_loss(config, s, scores[k]), result.curves.train[k], 1e-5 * (1e-3 + result.curves.train[k])) << k;
      network::Network cut = result.network;
      cut.truncate(k);
      EXPECT_TRUE(k == 0 || same(cut, as_they_were[k - 1])) << k;
      const auto forward = network::forward(cut, s.data.features.stored(), k, workers);
      for (std::size_t i = 0; i < forward.flat().size(); ++i)
        ASSERT_NEAR(forward.flat()[i], scores[k].flat()[i], 1e-12 * (1 + std::abs(forward.flat()[i]))) << k;
    }
  }
}

TEST(Train, LowersTheLossWithEveryStepOnAllRows) {
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(c.kind + " " + c.objective);
    const Sample s = make_sample(c.kind, 200);
    const auto curve = train_on(s, config_of(c, s, {.alpha = 0.001})).curves.train;
    for (std::size_t k = 1; k < curve.size(); ++k) EXPECT_LT(curve[k], curve[k - 1]) << k;
    EXPECT_LT(curve.back(), 0.8 * curve.front());
  }
}

TEST(Train, ScalesAStepByTheLearningRateOnly) {
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(c.kind + " " + c.objective);
    const Sample s = make_sample(c.kind, 100);
    const auto whole = train_on(s, config_of(c, s, {.units = 2, .learning_rate = 1})).network;
    const auto tenth = train_on(s, config_of(c, s, {.units = 2, .learning_rate = 0.1})).network;
    EXPECT_TRUE(std::ranges::equal(whole.hidden_weights(), tenth.hidden_weights()));
    for (std::size_t i = 0; i < whole.output_weights().size(); ++i)
      EXPECT_FLOAT_EQ(tenth.output_weights()[i], 0.1f * whole.output_weights()[i]);
    for (std::size_t k = 0; k < whole.outputs(); ++k) {
      const double start = whole.bias_after(0)[k];
      EXPECT_NEAR(tenth.bias_after(1)[k] - start, 0.1 * (whole.bias_after(1)[k] - start),
                  1e-12 * (1 + std::abs(start)));
    }
  }
}

TEST(Train, MultipliesTheFirstStepByFirstRate) {
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(c.kind + " " + c.objective);
    const Sample s = make_sample(c.kind, 80);
    const auto steady = train_on(s, config_of(c, s, {.units = 2, .learning_rate = 0.1, .first_rate = 0}));
    const auto early = train_on(s, config_of(c, s, {.units = 2, .learning_rate = 0.1, .first_rate = 0.3}));
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

TEST(Train, GrowsInTwoPartsToTheBitsOfOne) {
  for (const Case& c : all_cases())
    for (const char* solver : {"lbfgs", "adam"}) {
      if (c.objective == "projected" && std::string_view(solver) != "lbfgs") continue;
      SCOPED_TRACE(c.kind + " " + c.objective + " " + solver);
      const Sample s = make_sample(c.kind, 130), v = make_sample(c.kind, 60, 2);
      const config::Config drawn{.subsample = 0.6, .feature_fraction = 0.5, .solver = solver, .max_iter = 15};
      const auto with_units = [&](std::uint64_t units) {
        auto settings = drawn;
        settings.units = units;
        return config_of(c, s, settings);
      };
      const config::ResolvedConfig ten = with_units(10), twenty = with_units(20);
      const auto at_once = train_on(s, twenty, 1, &v);
      const auto first = train_on(s, ten, 1, &v);
      core::Workers workers(1);
      const TrainTask task{
          .config = twenty, .data = s.data, .outputs = s.outputs, .validation = &v.data, .workers = workers};
      const auto grown = train(task, first.network, first.curves, {});
      EXPECT_TRUE(same(grown.network, at_once.network));
      EXPECT_EQ(grown.curves.train, at_once.curves.train);
      EXPECT_EQ(grown.curves.validation, at_once.curves.validation);
      // Without the old curves they are measured again, to the same bits.
      const auto measured = train(task, first.network, {}, {});
      EXPECT_EQ(measured.curves.train, at_once.curves.train);
      EXPECT_EQ(measured.curves.validation, at_once.curves.validation);
    }
}

TEST(Train, MeasuresOldStepsOnAFirstValidationSet) {
  const Sample s = make_sample("binary", 150), v = make_sample("binary", 150, 2);
  const Case c{"binary", "direct"};
  const auto first = train_on(s, config_of(c, s, {.units = 12}));
  ASSERT_TRUE(first.curves.validation.empty());
  const config::ResolvedConfig more = config_of(c, s, {.units = 20});
  core::Workers workers(1);
  const TrainTask task{.config = more, .data = s.data, .outputs = s.outputs, .validation = &v.data, .workers = workers};
  const auto grown = train(task, first.network, first.curves, {});
  const auto at_once = train_on(s, more, 1, &v);
  EXPECT_EQ(grown.curves.validation, at_once.curves.validation);
  EXPECT_EQ(grown.best_step, at_once.best_step);
}

TEST(Train, DoesNotDependOnTheNumberOfThreads) {
  for (const Case& c : {Case{"binary", "residual"}, Case{"three", "direct"}, Case{"number", "projected"}}) {
    SCOPED_TRACE(c.kind + " " + c.objective);
    const Sample s = make_sample(c.kind, 5'000);
    const config::ResolvedConfig config =
        config_of(c, s, {.units = 16, .units_per_step = 4, .subsample = 0.9, .max_iter = 20});
    const auto one = train_on(s, config, 1);
    for (std::size_t threads : {2, 5}) {
      const auto many = train_on(s, config, threads);
      EXPECT_TRUE(same(one.network, many.network)) << threads;
      EXPECT_EQ(one.curves.train, many.curves.train) << threads;
    }
  }
}

TEST(Train, StopsEarlyAfterItsPatience) {
  // Forty rows are soon overfitted, so the validation loss rises again.
  const Sample s = make_sample("binary", 40), v = make_sample("binary", 300, 2);
  const Case c{"binary", "direct"};
  const auto settings = [&](std::uint64_t patience) {
    return config_of(c, s, {.units = 80, .learning_rate = 1, .alpha = 0.01, .patience = patience});
  };
  const auto all = train_on(s, settings(0), 1, &v);
  EXPECT_EQ(all.network.units(), 80u);
  EXPECT_EQ(all.stop, Stop::finished);
  const auto& curve = all.curves.validation;
  ASSERT_EQ(curve.size(), 41u);
  EXPECT_EQ(all.best_step, static_cast<std::size_t>(std::min_element(curve.begin(), curve.end()) - curve.begin()));
  ASSERT_LT(all.best_step, 30u) << "the test needs a validation loss that rises again";
  const auto stopped = train_on(s, settings(12), 1, &v);
  EXPECT_EQ(stopped.stop, Stop::patience);
  EXPECT_EQ(stopped.network.steps(), stopped.best_step + 6) << "12 units of 2 per step";
  for (std::size_t k = 0; k <= stopped.network.steps(); ++k) {
    EXPECT_EQ(stopped.curves.validation[k], curve[k]);
    EXPECT_LE(stopped.curves.validation[stopped.best_step], curve[k]);
  }
}

TEST(Train, StopsWhenTheObserverAsks) {
  const Sample s = make_sample("number", 80);
  const config::ResolvedConfig config = config_of({"number", "projected"}, s);
  std::size_t calls = 0;
  const auto result = train_on(s, config, 1, nullptr, [&](const StepReport& report) {
    ++calls;
    EXPECT_EQ(report.step, calls);
    EXPECT_EQ(report.steps, 6u);
    EXPECT_EQ(report.network.steps(), calls);
    EXPECT_EQ(report.curves.train.size(), calls + 1);
    return calls < 3;
  });
  EXPECT_EQ(result.stop, Stop::observer);
  EXPECT_EQ(result.network.units(), 6u);
  EXPECT_EQ(calls, 3u);
}

/// Gauss-Newton steps and descents ask after every evaluation whether the time is up.
TEST(Train, EndsAStepWhenTheTimeIsUp) {
  const Sample s = make_sample("number", 6000);
  core::Workers workers(1);
  for (const bool gauss_newton : {false, true}) {
    const config::ResolvedConfig config =
        config_of({"number", gauss_newton ? "projected" : "residual"}, s,
                  {.units = 1, .units_per_step = 1, .tolerance = 0, .gain_tolerance = 0, .gauss_newton = gauss_newton});
    std::size_t asked = 0;
    const TrainTask task{
        .config = config, .data = s.data, .outputs = s.outputs, .workers = workers, .is_out_of_time = [&] {
          return ++asked == 3;
        }};
    EXPECT_EQ(train(task, start_network(task), {}, {}).network.units(), 1u);
    EXPECT_EQ(asked, 3u) << gauss_newton;
  }
}

TEST(Train, DropsUnitsBeyondTheLastWholeStep) {
  const Sample s = make_sample("number", 50);
  EXPECT_EQ(train_on(s, config_of({"number", "projected"}, s, {.units = 7, .units_per_step = 3})).network.units(), 6u);
}

TEST(Train, StartsClassesFromZeroOrThePriors) {
  const Sample s = make_sample("three", 100);
  core::Workers workers(1);
  for (const bool prior : {false, true}) {
    const config::ResolvedConfig config = config_of({"three", "direct"}, s, {.prior_start = prior});
    const auto start = start_network({.config = config, .data = s.data, .outputs = 3, .workers = workers});
    double sum = 0.0;
    for (double b : start.bias_after(0)) sum += std::exp(b);
    EXPECT_NEAR(sum, prior ? 1.0 : 3.0, 1e-12);
  }
}

}  // namespace
}  // namespace accrete::boosting::train_test
