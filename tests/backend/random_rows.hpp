#pragma once
// Random rows, blocks and parameters for the tests of the backends.

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "accrete/backend/rows.hpp"
#include "accrete/core/random.hpp"

namespace accrete::backend {

/// What random_dataset and BackendFixture create.
struct ProblemShape {
  std::size_t rows = 65, features = 5, outputs = 1;
  std::string loss = "squared";
  std::string activation = "logistic";
  bool compact = false;  ///< all features but one are ramps that are not stored
};

/// Two stored columns: the first is a feature, the second has missing values and its ramps are all other features.
inline data::Features compact_features(core::TiledMatrix matrix, core::Rng& rng) {
  core::TiledMatrix stored(matrix.rows(), 2, matrix.tile_rows());
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    stored.at(r, 0) = matrix.at(r, 0);
    stored.at(r, 1) = rng.below(9) == 0 ? std::numeric_limits<float>::quiet_NaN() : 3.0f * matrix.at(r, 0);
  }
  std::vector<data::FeatureSource> sources{{.column = 0}};
  while (sources.size() < matrix.cols()) {
    const auto knot = static_cast<float>(2.0 * rng.normal()), high = static_cast<float>(0.5 + rng.uniform());
    sources.push_back({1, data::FeatureKind::ramp, {knot, static_cast<float>(0.2 + rng.uniform()), -high, high}});
  }
  return {std::move(stored), std::move(sources)};
}

inline data::Dataset random_dataset(const ProblemShape& shape, bool weighted, std::uint64_t seed = 1) {
  core::Rng rng(seed, shape.rows * 1000 + shape.features, core::Purpose::generator);
  const loss::Loss loss = loss::Loss::named(shape.loss);
  data::Dataset data;
  core::TiledMatrix numbers(shape.rows, shape.features);
  data.targets = core::Matrix<double>(shape.rows, loss.classes() ? 1 : shape.outputs);
  if (weighted) data.row_weight = 0.5;
  for (std::size_t r = 0; r < shape.rows; ++r) {
    for (std::size_t c = 0; c < shape.features; ++c) numbers.at(r, c) = static_cast<float>(rng.normal());
    for (double& y : data.targets.row(r)) {
      if (loss.classes())
        y = static_cast<double>(rng.below(std::max<std::size_t>(2, shape.outputs)));
      else if (loss.link() == loss::Link::exponential)
        y = static_cast<double>(rng.below(5));
      else if (loss.link() == loss::Link::probability)
        y = 0.25 * static_cast<double>(rng.below(5));
      else
        y = static_cast<double>(static_cast<float>(rng.normal()));  // rounded, so that all backends see the same number
    }
    // The first row has a positive weight, so that the total is never 0; a quarter of the others has weight 0.
    data.weights.push_back(!weighted                    ? 1.0
                           : r > 0 && rng.below(4) == 0 ? 0.0
                                                        : 0.25 * static_cast<double>(1 + rng.below(8)));
  }
  if (shape.compact)
    data.features = compact_features(std::move(numbers), rng);
  else
    data.features = std::move(numbers);
  return data;
}

inline network::Block random_block(std::size_t units, std::size_t outputs, std::vector<std::size_t> features,
                                   std::uint64_t seed, double size = 1.0) {
  core::Rng rng(seed, units, core::Purpose::weights);
  network::Block block;
  block.units = units;
  block.outputs = outputs;
  const double scale = size / std::sqrt(static_cast<double>(features.size()));
  for (std::size_t i = 0; i < units * features.size(); ++i)
    block.hidden_weights.push_back(static_cast<float>(scale * rng.normal()));
  for (std::size_t i = 0; i < units; ++i) block.hidden_bias.push_back(static_cast<float>(rng.normal()));
  for (std::size_t i = 0; i < units * outputs; ++i) block.output_weights.push_back(static_cast<float>(rng.normal()));
  for (std::size_t i = 0; i < outputs; ++i) block.output_bias.push_back(rng.normal());
  block.features = std::move(features);
  return block;
}

/// Rounded to float, so that float and double backends evaluate at the same point.
inline std::vector<double> random_parameters(const BlockShape& shape, std::uint64_t seed) {
  core::Rng rng(seed, shape.size(), core::Purpose::weights);
  std::vector<double> p(shape.size());
  const double scale = 1.0 / std::sqrt(static_cast<double>(shape.features));
  for (std::size_t i = 0; i < p.size(); ++i)
    p[i] = static_cast<double>(static_cast<float>((i < shape.hidden_bias_at() ? scale : 1.0) * rng.normal()));
  return p;
}

/// The rows of one backend and the objects they refer to, with two units already added so that scores differ.
struct BackendFixture {
  data::Dataset data;
  core::Workers workers;
  std::unique_ptr<TrainingRows> rows;

  BackendFixture(const ProblemShape& shape, bool weighted, std::string_view backend, std::size_t threads = 1)
      : BackendFixture(shape, random_dataset(shape, weighted), backend, threads) {}

  BackendFixture(const ProblemShape& shape, data::Dataset dataset, std::string_view backend, std::size_t threads = 1)
      : data(std::move(dataset)), workers(threads) {
    rows = backend_named(backend).make({.dataset = data,
                                        .outputs = shape.outputs,
                                        .loss = loss::Loss::named(shape.loss, {0.8, 0.3}),
                                        .activation = activation::Activation::named(shape.activation),
                                        .workers = workers});
    rows->reset_scores(std::vector<double>(shape.outputs, 0.25));
    std::vector<std::size_t> all(shape.features);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    rows->add_block(random_block(2, shape.outputs, all, 5, 0.5), std::vector<double>(shape.outputs, 0.5));
  }
};

/// A random half of 0 .. n - 1, at least one.
inline std::vector<std::size_t> some_of(std::size_t n, std::uint64_t seed) {
  return core::Rng(seed, n, core::Purpose::rows).choose(n, (n + 1) / 2);
}

/// All of 0 .. n - 1.
inline std::vector<std::size_t> all_of(std::size_t n) {
  return core::Rng(0, n, core::Purpose::rows).choose(n, n);
}

}  // namespace accrete::backend
