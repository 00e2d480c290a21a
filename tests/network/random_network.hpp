#pragma once
// Random networks and rows, and their scores by a simple loop in double.

#include <cmath>
#include <numeric>
#include <vector>

#include "accrete/core/random.hpp"
#include "accrete/core/tiled.hpp"
#include "accrete/network/network.hpp"

namespace accrete::network {

/// A random network with steps of 1, 2, ..., 5, 1, 2, ... units, at least `units` in all.
inline Network random_network(std::size_t features, std::size_t outputs, std::size_t units, const char* activation) {
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

struct ExpectedScore {
  double value;
  double tolerance;  ///< bound on the float rounding error
};

/// The score of output k with the first `units` units, in double.
inline ExpectedScore expected_score(const Network& network, std::size_t units, double bias, const core::TiledMatrix& x,
                                    std::size_t row, std::size_t k) {
  ExpectedScore score{bias, 1e-9};
  for (std::size_t u = 0; u < units; ++u) {
    double z = network.hidden_bias()[u], magnitude = 1.0 + std::abs(z);
    for (std::size_t i = 0; i < network.features(); ++i) {
      const double term = double(network.hidden_weights()[u * network.features() + i]) * x.at(row, i);
      z += term;
      magnitude += std::abs(term);
    }
    const double w = network.output_weights()[u * network.outputs() + k];
    score.value +=
        w * activation::All::visit(network.activation().index, [&](auto formula) { return formula.value(z); });
    score.tolerance += 4e-7 * std::abs(w) * magnitude;
  }
  return score;
}

}  // namespace accrete::network
