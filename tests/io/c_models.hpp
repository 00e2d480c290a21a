#pragma once
// Random models of every loss and activation, rows for them, and the library's predictions.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "accrete/core/random.hpp"
#include "accrete/model/model.hpp"

namespace accrete::io {

using Kind = data::Column::Kind;

/// Steps of 3, 4, 5, 6, 3, ... units; each reads the given share of the features.
inline network::Network random_network(std::size_t features, std::size_t outputs, std::size_t steps, double share,
                                       const char* activation) {
  core::Rng rng(11, features, core::Purpose::generator);
  const auto numbers = [&](std::size_t count, double scale) {
    std::vector<float> values(count);
    for (float& v : values) v = static_cast<float>(scale * rng.normal());
    return values;
  };
  network::Network network(features, activation::Activation::named(activation), std::vector<double>(outputs, 0.25));
  for (std::size_t step = 0; step < steps; ++step) {
    network::Block block;
    block.units = 3 + step % 4;
    block.outputs = outputs;
    for (std::size_t f = 0; f < features; ++f)
      if (rng.uniform() < share) block.features.push_back(f);
    block.hidden_weights = numbers(block.units * block.features.size(), 0.5);
    block.hidden_bias = numbers(block.units, 0.5);
    block.output_weights = numbers(block.units * outputs, 0.2);
    for (std::size_t k = 0; k < outputs; ++k) block.output_bias.push_back(0.3 * rng.normal());
    network.append(block);
  }
  return network;
}

/// Units with equal weights; the last ones have these output weights, the others 0.
inline network::Block block(std::size_t units, std::vector<std::size_t> features, float bias, std::vector<float> last) {
  network::Block block;
  block.units = units;
  block.outputs = last.size();
  block.features = std::move(features);
  block.hidden_weights.assign(units * block.features.size(), 1.0f);
  block.hidden_bias.assign(units, bias);
  block.output_weights.assign((units - 1) * last.size(), 0.0f);
  block.output_weights.insert(block.output_weights.end(), last.begin(), last.end());
  block.output_bias.assign(last.size(), 0.5);
  return block;
}

/// The partial sum reaches 1000 before it ends near 1, so a plain float sum would lose the required digits. Each large
/// unit is in a group of 16 of its own, because the library sums in float within a group.
inline network::Network cancelling_network() {
  network::Network network(3, activation::Activation::named("logistic"), std::vector<double>(2, 0.0));
  const network::Network small = random_network(3, 2, 500, 0.9, "logistic");
  network.append(block(16, {}, 30.0f, {1000.0f, -1000.0f}));
  for (std::size_t step = 0; step < small.steps(); ++step) network.append(small.block(step));
  network.append(block(32 - network.units() % 16, {}, 30.0f, {-1000.0f, 1000.0f}));
  return network;
}

/// Numbers of several scales, missing values and two categories; or with `plain` three numbers without missing values.
inline std::vector<data::Input> sample_inputs(bool plain) {
  std::vector<data::Input> inputs{{.name = "far", .mean = 1234567.91, .scale = 0.75},
                                  {.name = "small", .mean = -2e-4, .scale = 3e-5},
                                  {.name = "gappy", .mean = 3.0, .scale = 2.0, .gap_flag = !plain}};
  if (plain) return inputs;
  inputs.push_back(
      {.name = "colour", .kind = Kind::text, .levels = {"blue", "green", "red"}, .shares = {0.2, 0.3, 0.5}});
  inputs.push_back(
      {.name = "rare", .kind = Kind::text, .gap_flag = true, .levels = {"a", "b"}, .shares = {0.001, 1.0}});
  return inputs;
}

/// Adds bins to all numbers but the last: four, then seven, of increasing width.
inline std::vector<data::Input> with_bins(std::vector<data::Input> inputs) {
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j <= 4 + 3 * i; ++j) {
      const double way = -1.5 + 0.125 * static_cast<double>(j * (j + 1));
      inputs[i].knots.push_back(static_cast<float>(inputs[i].mean + inputs[i].scale * way));
      if (j == 0) continue;
      inputs[i].bin_means.push_back(1.0 - 0.125 * static_cast<double>(j));
      inputs[i].bin_scales.push_back(j == 3 ? 1e24 : 0.3 / static_cast<double>(j));
    }
  return inputs;
}

inline model::Model random_model(const std::string& loss, const char* activation, bool plain, double share = 0.5) {
  model::Model model;
  model.loss = loss::Loss::named(loss);
  const loss::Link link = model.loss.link();
  model.task = link == loss::Link::sigmoid   ? data::Task::binary
               : link == loss::Link::softmax ? data::Task::multiclass
                                             : data::Task::regression;
  model.targets = {"y"};
  if (link == loss::Link::sigmoid) model.classes = {"no", "yes"};
  if (link == loss::Link::softmax) model.classes = {"a", "b", "c", "d"};
  if (model.task == data::Task::regression) {
    model.targets = {"y", "z"};
    model.target_shift = {5000.0, -0.25};
    model.target_scale = {300.0, 1e-3};
  }
  model.encoder = data::Encoder(sample_inputs(plain));
  const std::size_t outputs = link == loss::Link::softmax ? 4 : model.targets.size();
  model.network = random_network(model.encoder.features(), outputs, 12, share, activation);
  return model;
}

/// The same rows as a table and as inputs of the C function.
struct SampleRows {
  data::Table table;
  std::vector<float> raw;
};

inline SampleRows random_rows(const data::Encoder& encoder, std::size_t count) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float unseen[] = {-1.0f, 0.5f, 1e9f, -1e9f, 99.0f};
  core::Rng rng(12, count, core::Purpose::generator);
  const auto& inputs = encoder.inputs();
  SampleRows rows{{"data", {}}, std::vector<float>(count * inputs.size())};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    data::Column column{.name = inputs[i].name, .kind = inputs[i].kind, .numbers = {}, .codes = {}, .levels = {}};
    const std::size_t levels = inputs[i].levels.size();
    column.levels = {"never seen"};
    column.levels.insert(column.levels.end(), inputs[i].levels.begin(), inputs[i].levels.end());
    for (std::size_t r = 0; r < count; ++r) {
      float& raw = rows.raw[r * inputs.size() + i];
      const bool missing = rng.uniform() < 0.1;
      const auto code = static_cast<std::size_t>(rng.uniform() * static_cast<double>(levels + 1));  // 0: unseen
      if (missing)
        raw = nan;
      else if (inputs[i].kind == Kind::numeric)
        raw = static_cast<float>(inputs[i].mean + inputs[i].scale * 1.5 * rng.normal());
      else
        raw = code == 0 ? unseen[r % 5] : static_cast<float>(code - 1);
      column.numbers.push_back(raw);
      column.codes.push_back(missing ? -1 : static_cast<std::int32_t>(code));
    }
    if (inputs[i].kind == Kind::numeric)
      column.codes.clear(), column.levels.clear();
    else
      column.numbers.clear();
    rows.table.columns.push_back(std::move(column));
  }
  return rows;
}

/// 1e-5 of the value or, if that is larger, of the target's scale.
inline double allowed(const model::Model& model, std::size_t k, double value) {
  double size = std::abs(value);
  if (model.loss.link() == loss::Link::identity)
    size = std::max(size, model.target_scale[k]);
  else
    size = std::max(size, 1.0);
  return 1e-5 * size;
}

}  // namespace accrete::io
