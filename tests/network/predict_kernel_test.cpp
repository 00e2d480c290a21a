#include "accrete/network/kernels/predict_kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "accrete/network/forward.hpp"
#include "tests/network/random_network.hpp"

namespace accrete::network::predict_kernel_test {
namespace {

TEST(PredictKernel, ScoresOfEveryPrefixMatchTheFormula) {
  core::Workers workers(1);
  for (const char* activation : activation::All::names)
    for (const std::size_t outputs : {1, 3})
      for (const std::size_t rows : {1, 63, 333}) {
        SCOPED_TRACE(std::string(activation) + ", outputs " + std::to_string(outputs) + ", rows " +
                     std::to_string(rows));
        const Network network = random_network(7, outputs, 53, activation);
        const auto x = random_rows(rows, 7);
        for (std::size_t steps = 0; steps <= network.steps(); ++steps) {
          const auto scores = forward(network, x, steps, workers);
          for (std::size_t r = 0; r < rows; r += 1 + rows / 9)
            for (std::size_t k = 0; k < outputs; ++k) {
              const auto expected =
                  expected_score(network, network.units_after(steps), network.bias_after(steps)[k], x, r, k);
              ASSERT_NEAR(scores(r, k), expected.value, expected.tolerance) << "steps " << steps << " row " << r;
            }
        }
      }
}

TEST(PredictKernel, ScoresMatchForUnusualWidths) {
  core::Workers workers(1);
  for (const std::size_t features : {1, 2, 30, 131, 600})
    for (const std::size_t units : {1, 16, 17}) {
      const Network network = random_network(features, 2, units, "tanh");
      const auto x = random_rows(70, features);
      const auto scores = forward(network, x, network.steps(), workers);
      for (std::size_t r = 0; r < 70; ++r) {
        const auto expected = expected_score(network, network.units(), network.bias_after(network.steps())[1], x, r, 1);
        ASSERT_NEAR(scores(r, 1), expected.value, expected.tolerance) << features << " features, row " << r;
      }
    }
}

TEST(PredictKernel, StagedScoresAreBitIdenticalToDirectOnes) {
  core::Workers workers(1);
  const Network network = random_network(5, 3, 70, "logistic");
  const auto x = random_rows(130, 5);
  forward_staged(network, x, workers, [&](std::size_t steps, core::MatrixView<const double> staged) {
    const auto at_once = forward(network, x, steps, workers);
    EXPECT_TRUE(std::ranges::equal(at_once.flat(), staged.flat())) << steps;
  });
}

TEST(PredictKernel, BitsDoNotDependOnTheNumberOfThreads) {
  core::Workers one(1), three(3);
  const Network network = random_network(5, 3, 70, "tanh");
  const auto x = random_rows(3000, 5);
  const auto a = forward(network, x, network.steps(), one), b = forward(network, x, network.steps(), three);
  EXPECT_TRUE(std::ranges::equal(a.flat(), b.flat()));
}

/// With 10,000 equal units a running float sum would have a relative error of 1e-4.
TEST(PredictKernel, SumsManyUnitsAccurately) {
  constexpr std::size_t units = 10'000;
  Network network(1, activation::Activation::named("relu"), std::vector<double>{0.0});
  network.append({.units = units,
                  .outputs = 1,
                  .features = {0},
                  .hidden_weights = std::vector<float>(units, 0.0f),
                  .hidden_bias = std::vector<float>(units, 1.0f),
                  .output_weights = std::vector<float>(units, 0.1f),
                  .output_bias = {0.0}});
  core::Workers workers(1);
  const double exact = units * double(0.1f);
  EXPECT_NEAR(forward(network, core::TiledMatrix(1, 1), 1, workers)(0, 0), exact, 5e-7 * exact);
  double single = 0.0;
  forward_row(network, std::vector<float>(1), 1, {&single, 1});
  EXPECT_NEAR(single, exact, 5e-7 * exact);
}

/// A single unit that computes only the activation, over the relevant range of floats.
TEST(PredictKernel, ActivationsAreWithinTheirErrorBounds) {
  core::Workers workers(1);
  for (const char* name : activation::All::names) {
    const auto activation = activation::Activation::named(name);
    const double max_ulps = std::string_view(name) == "tanh" ? 6.0 : 4.0;
    Network network(1, activation, std::vector<double>{0.0});
    network.append({.units = 1,
                    .outputs = 1,
                    .features = {0},
                    .hidden_weights = {1.0f},
                    .hidden_bias = {0.0f},
                    .output_weights = {1.0f},
                    .output_bias = {0.0}});
    std::vector<float> points{0.0f, 1e30f, -1e30f};
    for (int i = -90'000; i <= 90'000; ++i) points.push_back(static_cast<float>(i) * 0.97e-3f);
    for (float tiny = 1.0f; tiny > 1e-30f; tiny *= 0.7f) points.push_back(tiny), points.push_back(-tiny);
    core::TiledMatrix x(points.size(), 1);
    for (std::size_t r = 0; r < points.size(); ++r) x.at(r, 0) = points[r];
    const auto scores = forward(network, x, 1, workers);
    for (std::size_t r = 0; r < points.size(); ++r) {
      const double value = activation::All::visit(
          activation.index, [&](auto formula) { return formula.value(static_cast<double>(points[r])); });
      const auto rounded = static_cast<float>(std::abs(value));
      const double ulp = static_cast<double>(std::nextafter(rounded, HUGE_VALF)) - static_cast<double>(rounded);
      // exp is clamped where its result would be denormal.
      const double floor = 2e-38;
      ASSERT_LE(std::abs(scores(r, 0) - value), max_ulps * ulp + floor) << name << " of " << points[r];
    }
  }
}

}  // namespace
}  // namespace accrete::network::predict_kernel_test
