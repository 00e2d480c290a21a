#include "accrete/network/network.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "accrete/core/error.hpp"

namespace accrete::network {
namespace {

/// Whether size == rows * cols, where the product may be too large for the machine.
bool is_product(std::size_t size, std::size_t rows, std::size_t cols) {
  if (rows == 0) return size == 0;
  return size % rows == 0 && size / rows == cols;
}

template <class T>
void check_finite(const std::vector<T>& values, const char* what) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) throw core::DataError(fmt::format("{}: number {} is not finite", what, i));
}

void check_size(std::size_t size, std::size_t rows, std::size_t cols, const char* what) {
  if (!is_product(size, rows, cols))
    throw core::DataError(fmt::format("{}: {} numbers where {} x {} belong", what, size, rows, cols));
}

void check_steps(const std::vector<std::size_t>& ends, std::size_t units) {
  std::size_t previous = 0;
  for (std::size_t end : ends) {
    if (end <= previous) throw core::DataError(fmt::format("step ends: {} does not follow {}", end, previous));
    previous = end;
  }
  if (previous != units)
    throw core::DataError(fmt::format("step ends: the last is {}, the network has {} units", previous, units));
}

void check_block(const Block& block, const Network& network) {
  const auto refuse = [](const std::string& why) { throw core::UsageError("appended block: " + why); };
  if (block.units == 0) refuse("no units");
  if (block.outputs != network.outputs())
    refuse(fmt::format("{} outputs, the network has {}", block.outputs, network.outputs()));
  for (std::size_t i = 0; i < block.features.size(); ++i) {
    if (block.features[i] >= network.features())
      refuse(fmt::format("feature {}, the network has {}", block.features[i], network.features()));
    if (i > 0 && block.features[i] <= block.features[i - 1]) refuse("its features are not ascending");
  }
  if (!is_product(block.hidden_weights.size(), block.units, block.features.size()) ||
      block.hidden_bias.size() != block.units || !is_product(block.output_weights.size(), block.units, block.outputs) ||
      block.output_bias.size() != block.outputs)
    refuse("its arrays disagree with its units, features and outputs");
}

}  // namespace

Network::Network(std::size_t features, activation::Activation activation, std::span<const double> start) {
  parts_.activation = activation;
  parts_.features = features;
  parts_.outputs = start.size();
  parts_.prefix_bias.assign(start.begin(), start.end());
  lanes_ = UnitLanes(features, start.size());
}

Network::Network(Parts parts) : parts_(std::move(parts)) {
  const Parts& p = parts_;
  if (p.activation.index >= activation::All::size) throw core::DataError("no such activation");
  const std::size_t units = p.hidden_bias.size();
  check_steps(p.step_ends, units);
  check_size(p.hidden_weights.size(), units, p.features, "hidden weights");
  check_size(p.output_weights.size(), units, p.outputs, "output weights");
  check_size(p.prefix_bias.size(), p.step_ends.size() + 1, p.outputs, "output biases");
  check_finite(p.hidden_weights, "hidden weights");
  check_finite(p.hidden_bias, "hidden biases");
  check_finite(p.output_weights, "output weights");
  check_finite(p.prefix_bias, "output biases");
  lanes_ = UnitLanes(p.features, p.outputs);
  lanes_.append(p.hidden_weights, p.hidden_bias, p.output_weights);
}

void Network::append(const Block& block) {
  check_block(block, *this);
  const std::size_t before = units(), width = parts_.features, seen = block.features.size();

  parts_.hidden_weights.resize((before + block.units) * width, 0.0f);
  for (std::size_t j = 0; j < block.units; ++j) {
    float* unit = parts_.hidden_weights.data() + (before + j) * width;
    for (std::size_t i = 0; i < seen; ++i) unit[block.features[i]] = block.hidden_weights[j * seen + i];
  }
  parts_.hidden_bias.insert(parts_.hidden_bias.end(), block.hidden_bias.begin(), block.hidden_bias.end());
  parts_.output_weights.insert(parts_.output_weights.end(), block.output_weights.begin(), block.output_weights.end());
  lanes_.append(hidden_weights().subspan(before * width), block.hidden_bias, block.output_weights);

  const std::size_t last = steps() * parts_.outputs;
  for (std::size_t k = 0; k < parts_.outputs; ++k)
    parts_.prefix_bias.push_back(parts_.prefix_bias[last + k] + block.output_bias[k]);
  parts_.step_ends.push_back(before + block.units);
}

std::size_t Network::steps_within(std::size_t units) const {
  const auto& ends = parts_.step_ends;
  return static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), units) - ends.begin());
}

Block Network::block(std::size_t step) const {
  if (step >= steps()) throw core::UsageError(fmt::format("step {} of a network of {}", step, steps()));
  const std::size_t from = units_after(step), count = units_after(step + 1) - from;
  const auto cut = [&](const std::vector<float>& values, std::size_t width) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(from * width);
    return std::vector<float>(first, first + static_cast<std::ptrdiff_t>(count * width));
  };
  Block block;
  block.units = count;
  block.outputs = parts_.outputs;
  block.features.resize(parts_.features);
  std::iota(block.features.begin(), block.features.end(), std::size_t{0});
  block.hidden_weights = cut(parts_.hidden_weights, parts_.features);
  block.hidden_bias = cut(parts_.hidden_bias, 1);
  block.output_weights = cut(parts_.output_weights, parts_.outputs);
  block.output_bias.assign(parts_.outputs, 0.0);
  return block;
}

void Network::truncate(std::size_t steps) {
  if (steps > this->steps())
    throw core::UsageError(fmt::format("cut after {} steps of a network of {}", steps, this->steps()));
  const std::size_t units = units_after(steps);
  parts_.hidden_weights.resize(units * parts_.features);
  parts_.hidden_bias.resize(units);
  parts_.output_weights.resize(units * parts_.outputs);
  parts_.prefix_bias.resize((steps + 1) * parts_.outputs);
  parts_.step_ends.resize(steps);
  lanes_.truncate(units);
}

}  // namespace accrete::network
