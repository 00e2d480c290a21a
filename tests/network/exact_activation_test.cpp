// Activations of networks with monotone columns keep the order of all floats.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "accrete/core/random.hpp"
#include "accrete/network/forward.hpp"
#include "accrete/network/network.hpp"

namespace accrete::network::exact_activation_test {
namespace {

/// A unit that reads one feature as it is: its scores are the activation.
Network one_unit(const char* activation) {
  Network network({.activation = activation::Activation::named(activation),
                   .features = 1,
                   .outputs = 1,
                   .step_ends = {1},
                   .hidden_weights = {1.0f},
                   .hidden_bias = {0.0f},
                   .output_weights = {1.0f},
                   .prefix_bias = {0.0, 0.0}});
  network.require_exact_activation();
  return network;
}

std::vector<double> activations(const Network& network, const std::vector<float>& values) {
  core::Workers workers(1);
  core::TiledMatrix features(values.size(), 1);
  for (std::size_t r = 0; r < values.size(); ++r) features.at(r, 0) = values[r];
  const auto scores = forward(network, features, 1, workers);
  return {scores.flat().begin(), scores.flat().end()};
}

class ExactActivation : public testing::TestWithParam<const char*> {};

TEST_P(ExactActivation, IsMonotoneBetweenNeighbouringFloats) {
  const Network network = one_unit(GetParam());
  core::Rng rng(1, 0, core::Purpose::generator);
  for (int run = 0; run < 300; ++run) {
    // Runs at all magnitudes from 1e-12 to 100, where the vector approximations disagree with the order.
    std::vector<float> values{static_cast<float>((run % 2 ? 1.0 : -1.0) * std::exp(rng.uniform(-27.0, 4.6)))};
    for (int i = 1; i < 4096; ++i) values.push_back(std::nextafter(values.back(), INFINITY));
    const auto a = activations(network, values);
    for (std::size_t i = 1; i < a.size(); ++i) ASSERT_LE(a[i - 1], a[i]) << values[i];
  }
}

TEST_P(ExactActivation, IsMonotoneBetweenDistantFloatsAndOneRowAgrees) {
  const Network network = one_unit(GetParam());
  core::Rng rng(2, 0, core::Purpose::generator);
  std::vector<float> values{-3e38f, -1e5f, -88.0f, -0.0f, 0.0f, 88.0f, 1e5f, 3e38f};
  for (int i = 0; i < 100'000; ++i) values.push_back(static_cast<float>(8.0 * rng.normal()));
  std::ranges::sort(values);
  const auto a = activations(network, values);
  for (std::size_t i = 1; i < a.size(); ++i) ASSERT_LE(a[i - 1], a[i]) << values[i];
  for (std::size_t i = 0; i < values.size(); i += 97) {
    double score = 0.0;
    forward_row(network, {&values[i], 1}, 1, {&score, 1});
    ASSERT_EQ(score, a[i]);
    const double z = values[i], exact = std::string_view(GetParam()) == "tanh" ? std::tanh(z) : 1 / (1 + std::exp(-z));
    ASSERT_NEAR(score, exact, 5e-7 * std::abs(exact) + 2e-38) << z;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ExactActivation, testing::Values("tanh", "logistic"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace accrete::network::exact_activation_test
