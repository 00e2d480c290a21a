#include "accrete/network/network.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "accrete/core/error.hpp"

namespace accrete::network {
namespace {

const activation::Activation tanh_units = activation::Activation::named("tanh");

Block make_block(std::size_t units, std::vector<std::size_t> features, float first) {
  Block block;
  block.units = units;
  block.outputs = 2;
  for (std::size_t i = 0; i < units * features.size(); ++i) block.hidden_weights.push_back(first += 1.0f);
  for (std::size_t i = 0; i < units; ++i) block.hidden_bias.push_back(first += 1.0f);
  for (std::size_t i = 0; i < units * 2; ++i) block.output_weights.push_back(first += 1.0f);
  block.output_bias = {0.25, -0.5};
  block.features = std::move(features);
  return block;
}

Network grown() {
  Network network(3, tanh_units, std::vector<double>{1.0, 2.0});
  network.append(make_block(2, {0, 2}, 0.0f));
  network.append(make_block(1, {1}, 100.0f));
  network.append(make_block(3, {0, 1, 2}, 200.0f));
  return network;
}

template <class T>
std::vector<T> copy(std::span<const T> values) {
  return {values.begin(), values.end()};
}

Network::Parts parts_of(const Network& network) {
  return {network.activation(),
          network.features(),
          network.outputs(),
          copy(network.step_ends()),
          copy(network.hidden_weights()),
          copy(network.hidden_bias()),
          copy(network.output_weights()),
          copy(network.prefix_bias())};
}

void expect_same(const Network& a, const Network& b) {
  EXPECT_EQ(a.features(), b.features());
  EXPECT_EQ(a.outputs(), b.outputs());
  EXPECT_EQ(a.activation(), b.activation());
  EXPECT_EQ(copy(a.step_ends()), copy(b.step_ends()));
  EXPECT_EQ(copy(a.hidden_weights()), copy(b.hidden_weights()));
  EXPECT_EQ(copy(a.hidden_bias()), copy(b.hidden_bias()));
  EXPECT_EQ(copy(a.output_weights()), copy(b.output_weights()));
  EXPECT_EQ(copy(a.prefix_bias()), copy(b.prefix_bias()));
}

TEST(Network, starts_without_units) {
  const Network network(3, tanh_units, std::vector<double>{1.0, 2.0});
  EXPECT_EQ(network.units(), 0u);
  EXPECT_EQ(network.steps(), 0u);
  EXPECT_EQ(network.outputs(), 2u);
  EXPECT_EQ(network.steps_within(10), 0u);
  EXPECT_EQ(copy(network.bias_after(0)), (std::vector<double>{1.0, 2.0}));
}

TEST(Network, spreads_the_features_of_a_block) {
  const Network network = grown();
  const std::vector<float> expected{1, 0, 2, 3, 0, 4, 0, 101, 0};
  EXPECT_EQ(copy(network.hidden_weights().first(9)), expected);
  EXPECT_EQ(copy(network.hidden_bias().first(3)), (std::vector<float>{5, 6, 102}));
  EXPECT_EQ(copy(network.output_weights().first(6)), (std::vector<float>{7, 8, 9, 10, 103, 104}));
}

TEST(Network, keeps_one_bias_per_prefix) {
  const Network network = grown();
  EXPECT_EQ(copy(network.prefix_bias()), (std::vector<double>{1, 2, 1.25, 1.5, 1.5, 1, 1.75, 0.5}));
  EXPECT_EQ(copy(network.bias_after(2)), (std::vector<double>{1.5, 1}));
}

TEST(Network, biases_are_added_in_double) {
  Network network(1, tanh_units, std::vector<double>{1.0, 0.0});
  Block block = make_block(1, {0}, 0.0f);
  block.output_bias = {1e-12, 0.0};
  network.append(block);
  EXPECT_EQ(network.bias_after(1)[0], 1.0 + 1e-12);
}

TEST(Network, counts_steps_within_units) {
  const Network network = grown();
  const std::vector<std::size_t> expected{0, 0, 1, 2, 2, 2, 3, 3};
  for (std::size_t units = 0; units < expected.size(); ++units)
    EXPECT_EQ(network.steps_within(units), expected[units]) << units;
  EXPECT_EQ(network.units_after(0), 0u);
  EXPECT_EQ(network.units_after(2), 3u);
}

TEST(Network, truncated_is_as_if_never_grown) {
  Network shorter(3, tanh_units, std::vector<double>{1.0, 2.0});
  for (std::size_t steps = 0; steps <= 3; ++steps) {
    Network cut = grown();
    cut.truncate(steps);
    expect_same(cut, shorter);
    if (steps == 0) shorter.append(make_block(2, {0, 2}, 0.0f));
    if (steps == 1) shorter.append(make_block(1, {1}, 100.0f));
    if (steps == 2) shorter.append(make_block(3, {0, 1, 2}, 200.0f));
  }
  EXPECT_THROW(shorter.truncate(4), core::UsageError);
}

TEST(Network, blocks_rebuild_the_network) {
  const Network network = grown();
  Network again(3, tanh_units, network.bias_after(0));
  for (std::size_t step = 0; step < network.steps(); ++step) {
    Block block = network.block(step);
    EXPECT_EQ(block.output_bias, (std::vector<double>{0, 0}));
    for (std::size_t k = 0; k < 2; ++k)
      block.output_bias[k] = network.bias_after(step + 1)[k] - network.bias_after(step)[k];
    again.append(block);
  }
  expect_same(again, network);
  EXPECT_THROW(network.block(3), core::UsageError);
}

TEST(Network, parts_make_the_same_network) {
  expect_same(Network(parts_of(grown())), grown());
  const Network empty(4, tanh_units, std::vector<double>{3.0});
  expect_same(Network(parts_of(empty)), empty);
}

TEST(Network, refuses_parts_that_disagree) {
  const auto refused = [](auto spoil) {
    Network::Parts parts = parts_of(grown());
    spoil(parts);
    EXPECT_THROW(Network{parts}, core::DataError);
  };
  refused([](auto& p) { p.hidden_weights.pop_back(); });
  refused([](auto& p) { p.hidden_bias.pop_back(); });
  refused([](auto& p) { p.output_weights.push_back(0.0f); });
  refused([](auto& p) { p.prefix_bias.resize(6); });
  refused([](auto& p) { p.features = 4; });
  refused([](auto& p) { p.outputs = 1; });
  refused([](auto& p) { p.activation.index = 99; });
  refused([](auto& p) { p.step_ends = {2, 2, 6}; });
  refused([](auto& p) { p.step_ends = {0, 3, 6}; });
  refused([](auto& p) { p.step_ends = {2, 3, 5}; });
  refused([](auto& p) { p.step_ends = {2, 3, 7}; });
  refused([](auto& p) { p.step_ends = {}; });
  // 2^63 features of six units wrap to no weights at all.
  refused([](auto& p) { p.features = std::size_t{1} << 63, p.hidden_weights.clear(); });
}

TEST(Network, refuses_numbers_that_are_not_finite) {
  const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
  const auto refused = [](auto spoil) {
    Network::Parts parts = parts_of(grown());
    spoil(parts);
    EXPECT_THROW(Network{parts}, core::DataError);
  };
  refused([&](auto& p) { p.hidden_weights[4] = nan; });
  refused([&](auto& p) { p.hidden_bias[0] = infinity; });
  refused([&](auto& p) { p.output_weights[11] = -infinity; });
  refused([&](auto& p) { p.prefix_bias[0] = nan; });
}

TEST(Network, refuses_blocks_that_do_not_fit) {
  const auto refused = [](auto spoil) {
    Network network = grown();
    Block block = make_block(2, {0, 2}, 0.0f);
    spoil(block);
    EXPECT_THROW(network.append(block), core::UsageError);
    expect_same(network, grown());
  };
  refused([](Block& b) { b.units = 0; });
  refused([](Block& b) { b.outputs = 1; });
  refused([](Block& b) { b.features = {0, 3}; });
  refused([](Block& b) { b.features = {2, 0}; });
  refused([](Block& b) { b.hidden_weights.pop_back(); });
  refused([](Block& b) { b.hidden_bias.pop_back(); });
  refused([](Block& b) { b.output_weights.pop_back(); });
  refused([](Block& b) { b.output_bias.pop_back(); });
}

}  // namespace
}  // namespace accrete::network
