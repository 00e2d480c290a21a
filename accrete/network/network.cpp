#include "accrete/network/network.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "accrete/core/error.hpp"

namespace accrete::network {
namespace {

/// size == rows * cols, without overflow.
bool is_product(std::size_t size, std::size_t rows, std::size_t cols) {
  if (rows == 0) return size == 0;
  return size % rows == 0 && size / rows == cols;
}

template <class T>
void check_finite(const std::vector<T>& values, const char* what) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) throw core::DataError(fmt::format("{}: value {} is not finite", what, i));
}

void check_size(std::size_t size, std::size_t rows, std::size_t cols, const char* what) {
  if (!is_product(size, rows, cols))
    throw core::DataError(fmt::format("{}: {} values, expected {} x {}", what, size, rows, cols));
}

void check_steps(const std::vector<std::size_t>& ends, std::size_t units) {
  std::size_t previous = 0;
  for (std::size_t end : ends) {
    if (end <= previous)
      throw core::DataError(fmt::format("step ends: {} after {}, expected ascending", end, previous));
    previous = end;
  }
  if (previous != units)
    throw core::DataError(fmt::format("step ends: the last is {}, expected {}, the number of units", previous, units));
}

void check_block(const Block& block, const Network& network) {
  const auto fail = [](const std::string& why) { throw core::UsageError("block to append: " + why); };
  if (block.units == 0) fail("it has no units");
  if (block.outputs != network.outputs())
    fail(fmt::format("it has {} outputs, the network {}", block.outputs, network.outputs()));
  for (std::size_t i = 0; i < block.features.size(); ++i) {
    if (block.features[i] >= network.features())
      fail(fmt::format("it uses feature {}, the network has {} features", block.features[i], network.features()));
    if (i > 0 && block.features[i] <= block.features[i - 1]) fail("its features are not ascending");
  }
  if (!is_product(block.hidden_weights.size(), block.units, block.features.size()) ||
      block.hidden_bias.size() != block.units || !is_product(block.output_weights.size(), block.units, block.outputs) ||
      block.output_bias.size() != block.outputs)
    fail("the sizes of its arrays do not match its units, features and outputs");
}

}  // namespace

Network::Network(std::size_t features, activation::Activation activation, std::span<const double> start) {
  content_.renew();
  arrays_.activation = activation;
  arrays_.features = features;
  arrays_.outputs = start.size();
  arrays_.prefix_bias.assign(start.begin(), start.end());
  interleaved_ = InterleavedWeights(features, start.size());
}

Network::Network(Arrays arrays) : arrays_(std::move(arrays)) {
  const Arrays& p = arrays_;
  if (p.activation.index >= activation::All::size)
    throw core::DataError(fmt::format("activation index {}, expected less than {}", p.activation.index,
                                      std::size_t{activation::All::size}));
  const std::size_t units = p.hidden_bias.size();
  check_steps(p.step_ends, units);
  check_size(p.hidden_weights.size(), units, p.features, "hidden weights");
  check_size(p.output_weights.size(), units, p.outputs, "output weights");
  check_size(p.prefix_bias.size(), p.step_ends.size() + 1, p.outputs, "output biases");
  check_finite(p.hidden_weights, "hidden weights");
  check_finite(p.hidden_bias, "hidden biases");
  check_finite(p.output_weights, "output weights");
  check_finite(p.prefix_bias, "output biases");
  content_.renew();
  interleaved_ = InterleavedWeights(p.features, p.outputs);
  interleaved_.append(p.hidden_weights, p.hidden_bias, p.output_weights);
}

void Network::append(const Block& block) {
  check_block(block, *this);
  content_.renew();
  const std::size_t before = units(), width = arrays_.features, used = block.features.size();

  arrays_.hidden_weights.resize((before + block.units) * width, 0.0f);
  for (std::size_t j = 0; j < block.units; ++j) {
    float* unit = arrays_.hidden_weights.data() + (before + j) * width;
    for (std::size_t i = 0; i < used; ++i) unit[block.features[i]] = block.hidden_weights[j * used + i];
  }
  arrays_.hidden_bias.insert(arrays_.hidden_bias.end(), block.hidden_bias.begin(), block.hidden_bias.end());
  arrays_.output_weights.insert(arrays_.output_weights.end(), block.output_weights.begin(), block.output_weights.end());
  interleaved_.append(hidden_weights().subspan(before * width), block.hidden_bias, block.output_weights);

  const std::size_t last = steps() * arrays_.outputs;
  for (std::size_t k = 0; k < arrays_.outputs; ++k)
    arrays_.prefix_bias.push_back(arrays_.prefix_bias[last + k] + block.output_bias[k]);
  arrays_.step_ends.push_back(before + block.units);
}

std::size_t Network::steps_within(std::size_t units) const {
  const auto& ends = arrays_.step_ends;
  return static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), units) - ends.begin());
}

Block Network::block(std::size_t step) const {
  if (step >= steps()) throw core::UsageError(fmt::format("step {}, the network has {} steps", step, steps()));
  const std::size_t from = units_after(step), count = units_after(step + 1) - from;
  const auto rows_of_step = [&](const std::vector<float>& values, std::size_t width) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(from * width);
    return std::vector<float>(first, first + static_cast<std::ptrdiff_t>(count * width));
  };
  Block block;
  block.units = count;
  block.outputs = arrays_.outputs;
  block.features.resize(arrays_.features);
  std::iota(block.features.begin(), block.features.end(), std::size_t{0});
  block.hidden_weights = rows_of_step(arrays_.hidden_weights, arrays_.features);
  block.hidden_bias = rows_of_step(arrays_.hidden_bias, 1);
  block.output_weights = rows_of_step(arrays_.output_weights, arrays_.outputs);
  block.output_bias.assign(arrays_.outputs, 0.0);
  return block;
}

void Network::truncate(std::size_t steps) {
  if (steps > this->steps())
    throw core::UsageError(fmt::format("cannot keep {} steps, the network has {}", steps, this->steps()));
  const std::size_t units = units_after(steps);
  content_.renew();
  arrays_.hidden_weights.resize(units * arrays_.features);
  arrays_.hidden_bias.resize(units);
  arrays_.output_weights.resize(units * arrays_.outputs);
  arrays_.prefix_bias.resize((steps + 1) * arrays_.outputs);
  arrays_.step_ends.resize(steps);
  interleaved_.truncate(units);
}

}  // namespace accrete::network
