#pragma once
// Networks and rows made up at random, and their scores by the plainest loop in double.

#include <cmath>
#include <numeric>
#include <vector>

#include "accrete/core/random.hpp"
#include "accrete/core/tiled.hpp"
#include "accrete/network/network.hpp"

namespace accrete::network {

/// Steps of 1, 2, ..., 5, 1, 2, ... units until there are at least `units`.
inline Network grown_network(std::size_t features, std::size_t outputs, std::size_t units, const char* activation) {
  core::Rng rng(7, units, core::Purpose::generator);
  const auto numbers = [&](std::size_t count, double scale) {
    std::vector<float> values(count);
    for (float& v : values) v = static_cast<float>(scale * rng.normal());
    return values;
  };
  std::vector<double> start(outputs, 0.25);
  Network network(features, activation::Activation::named(activation), start);
  for (std::size_t step = 0; network.units() < units; ++step) {
    Block block;
    block.units = step % 5 + 1;
    block.outputs = outputs;
    block.features.resize(features);
    std::iota(block.features.begin(), block.features.end(), std::size_t{0});
    block.hidden_weights = numbers(block.units * features, 1.0);
    block.hidden_bias = numbers(block.units, 1.0);
    block.output_weights = numbers(block.units * outputs, 1.0);
    block.output_bias.assign(outputs, 0.5);
    network.append(block);
  }
  return network;
}

inline core::TiledMatrix random_rows(std::size_t rows, std::size_t features) {
  core::Rng rng(8, rows, core::Purpose::generator);
  core::TiledMatrix x(rows, features);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t i = 0; i < features; ++i) x.at(r, i) = static_cast<float>(rng.normal());
  return x;
}

struct PlainScore {
  double value;
  double slack;  ///< what float rounding may change
};

inline PlainScore plain_score(const Network& network, std::size_t units, double bias, const core::TiledMatrix& x,
                              std::size_t row, std::size_t k) {
  PlainScore score{bias, 1e-9};
  for (std::size_t u = 0; u < units; ++u) {
    double z = network.hidden_bias()[u], size = 1.0 + std::abs(z);
    for (std::size_t i = 0; i < network.features(); ++i) {
      const double term = double(network.hidden_weights()[u * network.features() + i]) * x.at(row, i);
      z += term;
      size += std::abs(term);
    }
    const double w = network.output_weights()[u * network.outputs() + k];
    score.value +=
        w * activation::All::visit(network.activation().index, [&](auto formula) { return formula.value(z); });
    score.slack += 4e-7 * std::abs(w) * size;
  }
  return score;
}

}  // namespace accrete::network
