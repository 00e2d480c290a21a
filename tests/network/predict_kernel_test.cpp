#include "accrete/network/predict_kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "accrete/network/forward.hpp"
#include "tests/network/grown_network.hpp"

namespace accrete::network {
namespace {

TEST(PredictKernel, every_prefix_is_what_the_plain_loop_gives) {
  core::Workers workers(1);
  for (const char* activation : activation::All::names)
    for (const std::size_t outputs : {1, 3})
      for (const std::size_t rows : {1, 63, 333}) {
        SCOPED_TRACE(std::string(activation) + ", outputs " + std::to_string(outputs) + ", rows " +
                     std::to_string(rows));
        const Network network = grown_network(7, outputs, 53, activation);
        const auto x = random_rows(rows, 7);
        for (std::size_t steps = 0; steps <= network.steps(); ++steps) {
          const auto scores = forward(network, x, steps, workers);
          for (std::size_t r = 0; r < rows; r += 1 + rows / 9)
            for (std::size_t k = 0; k < outputs; ++k) {
              const auto plain =
                  plain_score(network, network.units_after(steps), network.bias_after(steps)[k], x, r, k);
              ASSERT_NEAR(scores(r, k), plain.value, plain.slack) << "steps " << steps << " row " << r;
            }
        }
      }
}

TEST(PredictKernel, odd_widths) {
  core::Workers workers(1);
  for (const std::size_t features : {1, 2, 30, 131, 600})
    for (const std::size_t units : {1, 16, 17}) {
      const Network network = grown_network(features, 2, units, "tanh");
      const auto x = random_rows(70, features);
      const auto scores = forward(network, x, network.steps(), workers);
      for (std::size_t r = 0; r < 70; ++r) {
        const auto plain = plain_score(network, network.units(), network.bias_after(network.steps())[1], x, r, 1);
        ASSERT_NEAR(scores(r, 1), plain.value, plain.slack) << features << " features, row " << r;
      }
    }
}

TEST(PredictKernel, stopping_and_going_on_gives_the_same_bits) {
  core::Workers workers(1);
  const Network network = grown_network(5, 3, 70, "logistic");
  const auto x = random_rows(130, 5);
  forward_staged(network, x, workers, [&](std::size_t steps, core::MatrixView<const double> staged) {
    const auto at_once = forward(network, x, steps, workers);
    EXPECT_TRUE(std::ranges::equal(at_once.flat(), staged.flat())) << steps;
  });
}

TEST(PredictKernel, bits_do_not_depend_on_the_number_of_threads) {
  core::Workers one(1), three(3);
  const Network network = grown_network(5, 3, 70, "tanh");
  const auto x = random_rows(3000, 5);
  const auto a = forward(network, x, network.steps(), one), b = forward(network, x, network.steps(), three);
  EXPECT_TRUE(std::ranges::equal(a.flat(), b.flat()));
}

/// Ten thousand equal units: a running sum in float would be off by one in ten thousand.
TEST(PredictKernel, many_units_are_added_without_drift) {
  constexpr std::size_t units = 10'000;
  Network network(1, activation::Activation::named("relu"), std::vector<double>{0.0});
  network.append({units,
                  1,
                  {0},
                  std::vector<float>(units, 0.0f),
                  std::vector<float>(units, 1.0f),
                  std::vector<float>(units, 0.1f),
                  {0.0}});
  core::Workers workers(1);
  const double exact = units * double(0.1f);
  EXPECT_NEAR(forward(network, core::TiledMatrix(1, 1), 1, workers)(0, 0), exact, 5e-7 * exact);
  double alone = 0.0;
  forward_row(network, std::vector<float>(1), 1, {&alone, 1});
  EXPECT_NEAR(alone, exact, 5e-7 * exact);
}

/// One unit that is nothing but the activation, over the whole range of floats that matter.
TEST(PredictKernel, activations_are_as_exact_as_they_say) {
  core::Workers workers(1);
  for (const char* name : activation::All::names) {
    const auto activation = activation::Activation::named(name);
    const double allowed = std::string_view(name) == "tanh" ? 6.0 : 4.0;
    Network network(1, activation, std::vector<double>{0.0});
    network.append({1, 1, {0}, {1.0f}, {0.0f}, {1.0f}, {0.0}});
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
      // Below this the formula is held: exp stops where its result would no longer be a normal number.
      const double floor = 2e-38;
      ASSERT_LE(std::abs(scores(r, 0) - value), allowed * ulp + floor) << name << " of " << points[r];
    }
  }
}

}  // namespace
}  // namespace accrete::network
