// The default preset on difficult data: predictions are finite and not much worse than a constant, probabilities are
// calibrated.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

#include "accrete/boosting/fit.hpp"
#include "accrete/core/random.hpp"

namespace accrete::boosting::robust_test {
namespace {

using Fill = std::function<void(std::vector<double>& x, double& y, core::Rng& rng)>;

data::Table made(std::size_t rows, std::size_t columns, std::uint64_t seed, const Fill& fill) {
  data::Table table;
  table.source = "made up";
  for (std::size_t c = 0; c < columns; ++c) table.columns.push_back({.name = "x" + std::to_string(c)});
  table.columns.push_back({.name = "y"});
  core::Rng rng(seed, 0, core::Purpose::generator);
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<double> x(columns);
    for (double& value : x) value = rng.normal();
    double y = std::sin(2.0 * x[0]) + x[1] + 0.1 * rng.normal();
    fill(x, y, rng);
    for (std::size_t c = 0; c < columns; ++c) table.columns[c].numbers.push_back(static_cast<float>(x[c]));
    table.columns.back().numbers.push_back(static_cast<float>(y));
  }
  return table;
}

core::Matrix<double> predictions(data::Task task, const data::Table& train, const data::Table& test) {
  static core::Workers workers(1);
  FitOptions options;
  options.task = task;
  options.workers = &workers;
  const auto model = fit(train, options).model;
  return model::predict(model, test, model.network.steps(), workers);
}

/// Unexplained share of the variance of the test rows.
double left_over(const data::Table& test, const core::Matrix<double>& p) {
  const auto& y = test.columns.back().numbers;
  const double mean = std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(y.size());
  double error = 0.0, spread = 0.0;
  for (std::size_t r = 0; r < y.size(); ++r) {
    EXPECT_TRUE(std::isfinite(p(r, 0)));
    error += std::pow(y[r] - p(r, 0), 2.0), spread += std::pow(y[r] - mean, 2.0);
  }
  return error / spread;
}

double regression_left_over(std::size_t rows, std::size_t columns, const Fill& fill) {
  const auto train = made(rows, columns, 1, fill), test = made(400, columns, 2, fill);
  return left_over(test, predictions(data::Task::regression, train, test));
}

TEST(SlowRobust, LearnsWellBehavedData) {
  EXPECT_LT(regression_left_over(400, 4, [](auto&, double&, auto&) {}), 0.05);
}

TEST(SlowRobust, LearnsDespiteHeavyTailsAndOutliers) {
  const double left = regression_left_over(400, 4, [](auto& x, double&, core::Rng& rng) {
    x[2] = std::tan(3.14 * (rng.uniform() - 0.5)) * 1e3;
    if (rng.uniform() < 0.003) x[3] = 1e9;
  });
  EXPECT_LT(left, 0.15);
}

TEST(SlowRobust, LearnsDespiteConstantColumns) {
  const double left = regression_left_over(400, 5, [](auto& x, double&, core::Rng& rng) {
    x[2] = 3.0, x[3] = rng.uniform() < 0.01 ? 1.0 : 0.0, x[4] = 1e6 + 1e-9 * x[4];
  });
  EXPECT_LT(left, 0.1);
}

TEST(SlowRobust, LearnsASkewedTarget) {
  const double left = regression_left_over(400, 3, [](auto&, double& y, auto&) { y = std::exp(1.5 * y); });
  EXPECT_LT(left, 0.6);
}

TEST(SlowRobust, LearnsFromMoreColumnsThanRows) {
  EXPECT_LT(regression_left_over(60, 150, [](auto&, double&, auto&) {}), 1.1);
}

TEST(SlowRobust, PredictsTheProbabilityOfARareClass) {
  const Fill rare = [](auto& x, double& y, core::Rng& rng) {
    y = rng.uniform() < 1.0 / (1.0 + std::exp(5.0 - 1.5 * x[0])) ? 1.0 : 0.0;
  };
  const auto train = made(3000, 4, 1, rare), test = made(3000, 4, 2, rare);
  const auto p = predictions(data::Task::binary, train, test);
  double predicted = 0.0, observed = 0.0;
  for (std::size_t r = 0; r < 3000; ++r) predicted += p(r, 1), observed += test.columns.back().numbers[r];
  EXPECT_NEAR(predicted / 3000.0, observed / 3000.0, 3.0 * std::sqrt(2.0 * observed) / 3000.0);
}

TEST(SlowRobust, PredictsClassSharesForRandomLabels) {
  const Fill chance = [](auto&, double& y, core::Rng& rng) {
    y = rng.uniform() < 0.7 ? 0.0 : rng.uniform() < 0.8 ? 1.0 : 2.0;
  };
  const auto train = made(800, 4, 1, chance), test = made(800, 4, 2, chance);
  const auto p = predictions(data::Task::multiclass, train, test);
  double loss = 0.0;
  for (std::size_t r = 0; r < 800; ++r)
    loss -= std::log(p(r, static_cast<std::size_t>(test.columns.back().numbers[r]))) / 800.0;
  const double shares = -0.7 * std::log(0.7) - 0.24 * std::log(0.24) - 0.06 * std::log(0.06);
  EXPECT_LT(loss, shares + 0.06);
}

}  // namespace
}  // namespace accrete::boosting::robust_test
