#include "accrete/network/network.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "accrete/core/error.hpp"

namespace accrete::network::network_test {
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

/// Three steps of 2, 1 and 3 units.
Network three_step_network() {
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

Network::Arrays arrays_of(const Network& network) {
  return {.activation = network.activation(),
          .features = network.features(),
          .outputs = network.outputs(),
          .step_ends = copy(network.step_ends()),
          .hidden_weights = copy(network.hidden_weights()),
          .hidden_bias = copy(network.hidden_bias()),
          .output_weights = copy(network.output_weights()),
          .prefix_bias = copy(network.prefix_bias())};
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

TEST(Network, StartsWithoutUnits) {
  const Network network(3, tanh_units, std::vector<double>{1.0, 2.0});
  EXPECT_EQ(network.units(), 0u);
  EXPECT_EQ(network.steps(), 0u);
  EXPECT_EQ(network.outputs(), 2u);
  EXPECT_EQ(network.steps_within(10), 0u);
  EXPECT_EQ(copy(network.bias_after(0)), (std::vector<double>{1.0, 2.0}));
}

TEST(Network, GivesUnusedFeaturesOfABlockWeightZero) {
  const Network network = three_step_network();
  const std::vector<float> expected{1, 0, 2, 3, 0, 4, 0, 101, 0};
  EXPECT_EQ(copy(network.hidden_weights().first(9)), expected);
  EXPECT_EQ(copy(network.hidden_bias().first(3)), (std::vector<float>{5, 6, 102}));
  EXPECT_EQ(copy(network.output_weights().first(6)), (std::vector<float>{7, 8, 9, 10, 103, 104}));
}

TEST(Network, StoresOneBiasPerPrefix) {
  const Network network = three_step_network();
  EXPECT_EQ(copy(network.prefix_bias()), (std::vector<double>{1, 2, 1.25, 1.5, 1.5, 1, 1.75, 0.5}));
  EXPECT_EQ(copy(network.bias_after(2)), (std::vector<double>{1.5, 1}));
}

TEST(Network, AddsBiasesInDouble) {
  Network network(1, tanh_units, std::vector<double>{1.0, 0.0});
  Block block = make_block(1, {0}, 0.0f);
  block.output_bias = {1e-12, 0.0};
  network.append(block);
  EXPECT_EQ(network.bias_after(1)[0], 1.0 + 1e-12);
}

TEST(Network, CountsStepsWithinUnits) {
  const Network network = three_step_network();
  const std::vector<std::size_t> expected{0, 0, 1, 2, 2, 2, 3, 3};
  for (std::size_t units = 0; units < expected.size(); ++units)
    EXPECT_EQ(network.steps_within(units), expected[units]) << units;
  EXPECT_EQ(network.units_after(0), 0u);
  EXPECT_EQ(network.units_after(2), 3u);
}

TEST(Network, TruncatesToThePrefix) {
  Network shorter(3, tanh_units, std::vector<double>{1.0, 2.0});
  for (std::size_t steps = 0; steps <= 3; ++steps) {
    Network cut = three_step_network();
    cut.truncate(steps);
    expect_same(cut, shorter);
    if (steps == 0) shorter.append(make_block(2, {0, 2}, 0.0f));
    if (steps == 1) shorter.append(make_block(1, {1}, 100.0f));
    if (steps == 2) shorter.append(make_block(3, {0, 1, 2}, 200.0f));
  }
  EXPECT_THROW(shorter.truncate(4), core::UsageError);
}

TEST(Network, SharesItsContentWithCopiesUntilOneChanges) {
  const Network network(3, tanh_units, std::vector<double>{1.0, 2.0});
  EXPECT_FALSE(Network(3, tanh_units, std::vector<double>{1.0, 2.0}).content() == network.content());
  EXPECT_FALSE(Network().content() == network.content());
  const Network grown = three_step_network();
  EXPECT_FALSE(Network(arrays_of(grown)).content() == Network(arrays_of(grown)).content());
  Network copy = grown;
  EXPECT_TRUE(copy.content() == grown.content());
  copy.append(make_block(1, {1}, 300.0f));
  EXPECT_FALSE(copy.content() == grown.content());
  Network shorter = grown;
  shorter.truncate(2);
  EXPECT_FALSE(shorter.content() == grown.content());
}

/// Tables for predictions have as many groups.
TEST(Network, InterleavesUnitsInGroupsOf16) {
  Network network(1, tanh_units, std::vector<double>{0.0, 0.0});
  EXPECT_EQ(network.interleaved().groups(), 0u);
  for (std::size_t units = 1; units <= 33; ++units) {
    network.append(make_block(1, {0}, static_cast<float>(units)));
    EXPECT_EQ(network.interleaved().groups(), units <= 16 ? 1u : units <= 32 ? 2u : 3u) << units;
  }
  network.truncate(16);
  EXPECT_EQ(network.interleaved().groups(), 1u);
}

TEST(Network, IsRebuiltFromItsBlocks) {
  const Network network = three_step_network();
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

TEST(Network, IsRebuiltFromItsArrays) {
  expect_same(Network(arrays_of(three_step_network())), three_step_network());
  const Network empty(4, tanh_units, std::vector<double>{3.0});
  expect_same(Network(arrays_of(empty)), empty);
}

TEST(Network, RejectsArraysOfInconsistentSizes) {
  const auto expect_rejected = [](auto change) {
    Network::Arrays arrays = arrays_of(three_step_network());
    change(arrays);
    EXPECT_THROW(Network{arrays}, core::DataError);
  };
  expect_rejected([](auto& p) { p.hidden_weights.pop_back(); });
  expect_rejected([](auto& p) { p.hidden_bias.pop_back(); });
  expect_rejected([](auto& p) { p.output_weights.push_back(0.0f); });
  expect_rejected([](auto& p) { p.prefix_bias.resize(6); });
  expect_rejected([](auto& p) { p.features = 4; });
  expect_rejected([](auto& p) { p.outputs = 1; });
  expect_rejected([](auto& p) { p.activation.index = 99; });
  expect_rejected([](auto& p) { p.step_ends = {2, 2, 6}; });
  expect_rejected([](auto& p) { p.step_ends = {0, 3, 6}; });
  expect_rejected([](auto& p) { p.step_ends = {2, 3, 5}; });
  expect_rejected([](auto& p) { p.step_ends = {2, 3, 7}; });
  expect_rejected([](auto& p) { p.step_ends = {}; });
  // 2^63 features times six units overflow to zero weights.
  expect_rejected([](auto& p) { p.features = std::size_t{1} << 63, p.hidden_weights.clear(); });
}

TEST(Network, RejectsNonFiniteValues) {
  const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
  const auto expect_rejected = [](auto change) {
    Network::Arrays arrays = arrays_of(three_step_network());
    change(arrays);
    EXPECT_THROW(Network{arrays}, core::DataError);
  };
  expect_rejected([&](auto& p) { p.hidden_weights[4] = nan; });
  expect_rejected([&](auto& p) { p.hidden_bias[0] = infinity; });
  expect_rejected([&](auto& p) { p.output_weights[11] = -infinity; });
  expect_rejected([&](auto& p) { p.prefix_bias[0] = nan; });
}

TEST(Network, RejectsInconsistentBlocks) {
  const auto expect_rejected = [](auto change) {
    Network network = three_step_network();
    Block block = make_block(2, {0, 2}, 0.0f);
    change(block);
    EXPECT_THROW(network.append(block), core::UsageError);
    expect_same(network, three_step_network());
  };
  expect_rejected([](Block& b) { b.units = 0; });
  expect_rejected([](Block& b) { b.outputs = 1; });
  expect_rejected([](Block& b) { b.features = {0, 3}; });
  expect_rejected([](Block& b) { b.features = {2, 0}; });
  expect_rejected([](Block& b) { b.hidden_weights.pop_back(); });
  expect_rejected([](Block& b) { b.hidden_bias.pop_back(); });
  expect_rejected([](Block& b) { b.output_weights.pop_back(); });
  expect_rejected([](Block& b) { b.output_bias.pop_back(); });
}

}  // namespace
}  // namespace accrete::network::network_test
