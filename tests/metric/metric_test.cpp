#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "accrete/core/error.hpp"
#include "accrete/core/random.hpp"
#include "accrete/metric/list.hpp"

namespace accrete::metric::metric_test {
namespace {

core::Matrix<double> matrix(std::size_t rows, std::size_t cols, const std::vector<double>& values) {
  core::Matrix<double> m(rows, cols);
  std::copy(values.begin(), values.end(), m.flat().begin());
  return m;
}

TEST(Metric, ComputesAccuracy) {
  const auto p = matrix(4, 3, {.5, .3, .2, .1, .1, .8, .4, .4, .2, .2, .5, .3});
  const auto y = matrix(4, 1, {0, 1, 0, 1});
  EXPECT_DOUBLE_EQ(Accuracy::value({p, y, {}}), 0.75);  // the third row is a tie, which goes to the first class
  const std::vector<double> weights{1, 5, 1, 1};
  EXPECT_DOUBLE_EQ(Accuracy::value({p, y, weights}), 3.0 / 8.0);
}

TEST(Metric, ComputesLogLoss) {
  const auto p = matrix(2, 2, {.25, .75, .9, .1});
  const auto y = matrix(2, 1, {1, 0});
  EXPECT_DOUBLE_EQ(LogLoss::value({p, y, {}}), -(std::log(.75) + std::log(.9)) / 2.0);
  const std::vector<double> weights{3, 1};
  EXPECT_DOUBLE_EQ(LogLoss::value({p, y, weights}), -(3.0 * std::log(.75) + std::log(.9)) / 4.0);
}

TEST(Metric, ClipsProbabilitiesInLogLoss) {
  const auto p = matrix(2, 2, {1, 0, 0, 1});
  EXPECT_DOUBLE_EQ(LogLoss::value({p, matrix(2, 1, {1, 0}), {}}), -std::log(1e-15));
  EXPECT_NEAR(LogLoss::value({p, matrix(2, 1, {0, 1}), {}}), 0.0, 1e-14);
  const auto broken = matrix(2, 2, {NAN, NAN, 0, 1});
  EXPECT_TRUE(std::isnan(LogLoss::value({broken, matrix(2, 1, {0, 1}), {}})));
}

double auc_over_pairs(const LabelledPredictions& c) {
  double area = 0.0, pairs = 0.0;
  for (std::size_t i = 0; i < c.rows(); ++i)
    for (std::size_t j = 0; j < c.rows(); ++j) {
      if (c.targets(i, 0) != 1.0 || c.targets(j, 0) != 0.0) continue;
      const double a = c.predictions(i, 1), b = c.predictions(j, 1), w = c.weight(i) * c.weight(j);
      area += w * (a > b ? 1.0 : a == b ? 0.5 : 0.0);
      pairs += w;
    }
  return area / pairs;
}

TEST(Metric, ComputesAucLikeCountingPairs) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    core::Rng rng(seed, 0, core::Purpose::generator);
    const std::size_t rows = 2 + rng.below(60), levels = 1 + rng.below(12);  // few levels: many ties
    core::Matrix<double> p(rows, 2), y(rows, 1);
    std::vector<double> weights(rows);
    for (std::size_t r = 0; r < rows; ++r) {
      p(r, 1) = static_cast<double>(rng.below(levels)) / static_cast<double>(levels);
      p(r, 0) = 1.0 - p(r, 1);
      y(r, 0) = r < 2 ? static_cast<double>(r) : static_cast<double>(rng.below(2));
      weights[r] = rng.uniform(0.1, 2.0);
    }
    EXPECT_NEAR(Auc::value({p, y, {}}), auc_over_pairs({p, y, {}}), 1e-12);
    EXPECT_NEAR(Auc::value({p, y, weights}), auc_over_pairs({p, y, weights}), 1e-12);
  }
}

TEST(Metric, ComputesAucAtItsLimits) {
  const auto p = matrix(4, 2, {.9, .1, .8, .2, .3, .7, .2, .8});
  EXPECT_EQ(Auc::value({p, matrix(4, 1, {0, 0, 1, 1}), {}}), 1.0);
  EXPECT_EQ(Auc::value({p, matrix(4, 1, {1, 1, 0, 0}), {}}), 0.0);
  EXPECT_TRUE(std::isnan(Auc::value({p, matrix(4, 1, {1, 1, 1, 1}), {}})));
}

TEST(Metric, AveragesAucOverClassesAgainstTheRest) {
  // Against the rest, classes 0 and 1 rank their rows first; of the four pairs of class 2, three are in order.
  const auto p = matrix(4, 3, {.8, .1, .1, .2, .5, .3, .1, .3, .6, .3, .5, .2});
  const auto y = matrix(4, 1, {0, 1, 2, 2});
  EXPECT_NEAR(Auc::value({p, y, {}}), (1.0 + 2.5 / 3.0 + 3.0 / 4.0) / 3.0, 1e-12);
  // A class without rows is left out.
  EXPECT_NEAR(Auc::value({p, matrix(4, 1, {0, 1, 1, 1}), {}}), (1.0 + 1.0) / 2.0, 1e-12);
  EXPECT_TRUE(std::isnan(Auc::value({p, matrix(4, 1, {2, 2, 2, 2}), {}})));
}

TEST(Metric, CountsClasses) {
  // predicted: 0 0 1 0 1
  const auto p = matrix(5, 3, {.9, .1, 0, .6, .4, 0, .2, .8, 0, .7, .3, 0, .1, .9, 0});
  const auto y = matrix(5, 1, {0, 0, 0, 1, 1});
  const auto counts = count_classes({p, y, {}});
  EXPECT_DOUBLE_EQ(counts[0].precision(), 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(counts[0].recall(), 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(counts[1].precision(), 0.5);
  EXPECT_DOUBLE_EQ(counts[1].recall(), 0.5);
  EXPECT_DOUBLE_EQ(counts[1].f1(), 0.5);
  EXPECT_TRUE(std::isnan(counts[2].precision()) && std::isnan(counts[2].recall()) && std::isnan(counts[2].f1()));
  EXPECT_DOUBLE_EQ(BalancedAccuracy::value({p, y, {}}), (2.0 / 3.0 + 0.5) / 2.0);
  EXPECT_DOUBLE_EQ(F1::value({p, y, {}}), (2.0 / 3.0 + 0.5) / 2.0);
  const std::vector<double> weights{1, 1, 1, 3, 1};
  EXPECT_DOUBLE_EQ(count_classes({p, y, weights})[1].recall(), 0.25);
}

TEST(Metric, ComputesF1OfTheSecondOfTwoClasses) {
  const auto p = matrix(4, 2, {.9, .1, .4, .6, .3, .7, .6, .4});  // predicted 0 1 1 0
  EXPECT_DOUBLE_EQ(F1::value({p, matrix(4, 1, {0, 0, 1, 1}), {}}), 0.5);
  EXPECT_DOUBLE_EQ(F1::value({p, matrix(4, 1, {0, 1, 1, 0}), {}}), 1.0);
}

TEST(Metric, LeavesTargetsOfZeroOutOfMape) {
  const auto p = matrix(3, 1, {2, 5, 5}), y = matrix(3, 1, {4, 0, 4});
  EXPECT_DOUBLE_EQ(Mape::value({p, y, {}}), (0.5 + 0.25) / 2.0);
  EXPECT_TRUE(std::isnan(Mape::value({p, matrix(3, 1, {0, 0, 0}), {}})));
}

TEST(Metric, ComputesPinballAtTheQuantile) {
  const auto p = matrix(2, 1, {1, 5}), y = matrix(2, 1, {3, 4});  // errors 2 and -1
  EXPECT_DOUBLE_EQ(Pinball::value({p, y, {}}), 0.5 * Mae::value({p, y, {}}));
  EXPECT_DOUBLE_EQ(Pinball::value({p, y, {}, 0.9}), (0.9 * 2.0 + 0.1 * 1.0) / 2.0);
}

TEST(Metric, ComputesRegressionMetrics) {
  const auto p = matrix(3, 1, {1, 2, 5});
  const auto y = matrix(3, 1, {1, 3, 3});
  EXPECT_DOUBLE_EQ(Rmse::value({p, y, {}}), std::sqrt(5.0 / 3.0));
  EXPECT_DOUBLE_EQ(Mae::value({p, y, {}}), 1.0);
  EXPECT_NEAR(R2::value({p, y, {}}), 1.0 - 5.0 / (8.0 / 3.0), 1e-15);
  const std::vector<double> weights{2, 1, 1};
  EXPECT_DOUBLE_EQ(Rmse::value({p, y, weights}), std::sqrt(5.0 / 4.0));
  EXPECT_DOUBLE_EQ(Mae::value({p, y, weights}), 3.0 / 4.0);
  EXPECT_DOUBLE_EQ(R2::value({p, y, weights}), 1.0 - 5.0 / 4.0);  // weighted mean 2, weighted squares 4
}

TEST(Metric, AveragesOverOutputs) {
  const auto p = matrix(2, 2, {0, 1, 2, 3});
  const auto y = matrix(2, 2, {0, 2, 2, 6});
  EXPECT_DOUBLE_EQ(Rmse::value({p, y, {}}), std::sqrt((1.0 + 9.0) / 4.0));
  EXPECT_DOUBLE_EQ(Mae::value({p, y, {}}), 1.0);
  EXPECT_DOUBLE_EQ(R2::value({p, y, {}}), (1.0 + (1.0 - 10.0 / 8.0)) / 2.0);
}

TEST(Metric, R2IsZeroForTheMeanAndZeroOrOneForAConstant) {
  EXPECT_DOUBLE_EQ(R2::value({matrix(3, 1, {2, 2, 2}), matrix(3, 1, {1, 2, 3}), {}}), 0.0);
  EXPECT_EQ(R2::value({matrix(2, 1, {4, 4}), matrix(2, 1, {4, 4}), {}}), 1.0);
  EXPECT_EQ(R2::value({matrix(2, 1, {4, 5}), matrix(2, 1, {4, 4}), {}}), 0.0);
  // The mean of 0.1, 0.1, 0.1 is not exactly 0.1.
  EXPECT_EQ(R2::value({matrix(3, 1, {0.2, 0.1, 0.1}), matrix(3, 1, {0.1, 0.1, 0.1}), {}}), 0.0);
}

TEST(Metric, IgnoresEqualWeights) {
  const auto p = matrix(4, 2, {.9, .1, .4, .6, .3, .7, .6, .4});
  const auto y = matrix(4, 1, {0, 1, 1, 1}), values = matrix(4, 2, {1, 0, 3, 1, 2, 2, 0, 0});
  const std::vector<double> weights(4, 2.5);
  for (std::size_t i = 0; i < All::size; ++i) {
    const Metric metric{i};
    const auto& truth = metric.fits(data::Task::binary) ? y : values;
    EXPECT_NEAR(metric.value({p, truth, weights}), metric.value({p, truth, {}}), 1e-12) << metric.name();
  }
}

std::string names_for(data::Task task, const LabelledPredictions& c) {
  std::string names;
  for (const auto& [name, value] : all_for(task, c)) names += name + ' ';
  return names;
}

TEST(Metric, ListsTheMetricsOfATask) {
  const auto two = matrix(2, 2, {.9, .1, .4, .6}), three = matrix(2, 3, {.8, .1, .1, .2, .3, .5});
  const auto one = matrix(2, 1, {1, 2}), y = matrix(2, 1, {0, 1});
  EXPECT_EQ(names_for(data::Task::binary, {two, y, {}}), "accuracy log_loss auc balanced_accuracy f1 ");
  EXPECT_EQ(names_for(data::Task::multiclass, {three, y, {}}), "accuracy log_loss auc balanced_accuracy f1 ");
  EXPECT_EQ(names_for(data::Task::regression, {one, y, {}}), "rmse mae r2 mape pinball ");
}

TEST(Metric, HasAPrimaryMetricForEveryTask) {
  for (const auto task : {data::Task::regression, data::Task::binary, data::Task::multiclass})
    EXPECT_TRUE(Metric::named(primary(task)).fits(task));
  EXPECT_STREQ(primary(data::Task::regression), "rmse");
  EXPECT_STREQ(primary(data::Task::binary), "accuracy");
  EXPECT_TRUE(Metric::named("auc").higher_is_better());
  EXPECT_FALSE(Metric::named("log_loss").higher_is_better());
  EXPECT_THROW(Metric::named("mse"), core::UsageError);
}

}  // namespace
}  // namespace accrete::metric::metric_test
