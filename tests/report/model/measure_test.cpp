#include "report/model/measure.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "accrete/metric/list.hpp"
#include "accrete/network/forward.hpp"
#include "tests/report/model/fitted.hpp"

namespace accrete::report::measure_test {
namespace {

TEST(Prefixes, AreAboutFiftyAndEndWithTheFullNetwork) {
  EXPECT_EQ(choose_prefixes(0), std::vector<std::size_t>{0});
  EXPECT_EQ(choose_prefixes(1), std::vector<std::size_t>{1});
  EXPECT_EQ(choose_prefixes(3), (std::vector<std::size_t>{1, 2, 3}));
  for (const std::size_t steps : {55u, 56u, 200u, 5000u}) {
    const auto chosen = choose_prefixes(steps);
    EXPECT_TRUE(std::ranges::is_sorted(chosen));
    EXPECT_EQ(std::ranges::adjacent_find(chosen), chosen.end()) << "each once";
    EXPECT_EQ(chosen.front(), 1u);
    EXPECT_EQ(chosen.back(), steps);
    EXPECT_GE(chosen.size(), 35u);
    EXPECT_LE(chosen.size(), 55u);
  }
}

TEST(Measure, ComputesTheMetricsOfEveryPrefix) {
  for (const char* kind : {"binary", "three", "number"}) {
    SCOPED_TRACE(kind);
    const Fitted fitted(kind);
    core::Workers workers(2);
    const Measures m = measure(fitted.data, 0, {}, workers);
    ASSERT_EQ(m.prefixes.size(), 10u);
    EXPECT_EQ(m.metrics[m.main_metric], metric::primary(fitted.model.task));
    for (const PrefixMeasures& prefix : m.prefixes) {
      const auto predictions = model::predict(fitted.model, fitted.table, prefix.steps, workers);
      const auto wanted = metric::all_for(fitted.model.task, fitted.data.with(predictions));
      EXPECT_EQ(prefix.units, 2 * prefix.steps);
      ASSERT_EQ(prefix.metrics.size(), wanted.size());
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        EXPECT_EQ(m.metrics[i], wanted[i].first);
        EXPECT_NEAR(prefix.metrics[i], wanted[i].second, 1e-6) << wanted[i].first << " at " << prefix.steps;
      }
    }
  }
}

TEST(Measure, GivesAConfusionMatrixThatMatchesTheAccuracy) {
  const Fitted fitted("three");
  core::Workers workers(1);
  const Measures m = measure(fitted.data, 0, {}, workers);
  for (const PrefixMeasures& prefix : m.prefixes) {
    double right = 0.0, rows = 0.0;
    for (std::size_t k = 0; k < prefix.confusion.size(); ++k) {
      right += prefix.confusion[k][k];
      for (const double count : prefix.confusion[k]) rows += count;
    }
    EXPECT_EQ(rows, 400.0);
    EXPECT_NEAR(right / rows, prefix.metrics[m.main_metric], 1e-12);
  }
}

TEST(Measure, ReproducesTheRecordedTrainingLoss) {
  for (const char* kind : {"binary", "three", "number"}) {
    SCOPED_TRACE(kind);
    Fitted fitted(kind);
    const auto weights = fitted.table.columns[fitted.table.require("w")].numbers;
    fitted.data.weights.assign(weights.begin(), weights.end());  // as the fit had them
    core::Workers workers(2);
    const Measures m = measure(fitted.data, 0, {}, workers);
    const auto& kept = fitted.model.provenance.train_loss;
    ASSERT_EQ(m.loss.size(), 11u);
    ASSERT_EQ(kept.size(), 11u);
    for (std::size_t s = 0; s < kept.size(); ++s) EXPECT_NEAR(m.loss[s], kept[s], 1e-5 * kept[s]) << s;
  }
}

TEST(Measure, SamplesRowsForRegressionPoints) {
  const Fitted fitted("number", 3000);
  core::Workers workers(1);
  const Measures a = measure(fitted.data, 1, {}, workers), b = measure(fitted.data, 1, {}, workers),
                 c = measure(fitted.data, 2, {}, workers);
  EXPECT_EQ(a.sampled_rows(), 2000u);
  EXPECT_EQ(a.truth, b.truth);
  EXPECT_NE(a.truth, c.truth);
  ASSERT_EQ(a.full_network().predicted.size(), 1u);
  EXPECT_EQ(a.full_network().predicted[0].size(), 2000u);
  EXPECT_TRUE(a.full_network().confusion.empty());
}

TEST(Measure, StopsOnRequest) {
  const Fitted fitted("binary");
  core::Workers workers(1);
  EXPECT_TRUE(measure(
                  fitted.data, 0, [](std::size_t done, std::size_t) { return done < 4; }, workers)
                  .stopped);
}

TEST(Measure, HasNoLossOfACustomLoss) {
  struct Halved {
    double value(double y, double f) const { return 0.5 * (y - f) * (y - f); }
    double derivative(double y, double f) const { return f - y; }
    double curvature(double, double) const { return 1.0; }
  };
  const data::Table table = boosting::mixed_table("number", 100);
  auto options = boosting::mixed_options("number", {.units = 4, .units_per_step = 2, .loss = "custom"});
  options.custom_loss = loss::make_custom(Halved{});
  const model::Model model = boosting::fit(table, options).model;
  core::Workers workers(1);
  const Measures m = measure(Fitted::label(model, table), 0, {}, workers);
  EXPECT_TRUE(m.loss.empty());
  EXPECT_EQ(m.prefixes.size(), 2u);
}

}  // namespace
}  // namespace accrete::report::measure_test
