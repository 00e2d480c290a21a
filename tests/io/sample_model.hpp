#pragma once
// Small models of every task, for tests of reading and writing.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "accrete/model/model.hpp"

namespace accrete::io {

inline network::Network sample_network(std::size_t features, std::size_t outputs, std::size_t steps) {
  network::Network network(features, activation::Activation::named("tanh"), std::vector<double>(outputs, 0.125));
  float next = 0.1f;
  for (std::size_t step = 0; step < steps; ++step) {
    network::Block block;
    block.units = 1 + step;
    block.outputs = outputs;
    for (std::size_t i = 0; i < features; ++i) block.features.push_back(i);
    for (std::size_t i = 0; i < block.units * features; ++i) block.hidden_weights.push_back(next *= -1.1f);
    for (std::size_t i = 0; i < block.units; ++i) block.hidden_bias.push_back(next *= -1.1f);
    for (std::size_t i = 0; i < block.units * outputs; ++i) block.output_weights.push_back(next *= -1.1f);
    block.output_bias.assign(outputs, 1.0 / 3.0);
    network.append(block);
  }
  return network;
}

/// Regression on two numeric inputs, three units in two steps.
inline model::Model small_model() {
  model::Model model;
  model.targets = {"y"};
  model.target_shift = {1.0 / 7.0};
  model.target_scale = {2.5};
  model.encoder = data::Encoder({{.name = "a", .mean = 0.1, .scale = 0.3}, {.name = "b", .mean = -2.0, .scale = 7.0}});
  model.network = sample_network(2, 1, 2);
  model.provenance.version = "0.1.0";
  model.provenance.parameters = {{"units", "3"}, {"alpha", "0.1"}};
  model.provenance.training_rows = 100;
  model.provenance.data_fingerprint = 0xfedcba9876543210u;
  model.provenance.train_loss = {1.0, 0.5, 0.25};
  return model;
}

inline model::Model empty_model() {
  model::Model model = small_model();
  model.network = sample_network(2, 1, 0);
  model.provenance.train_loss.clear();
  return model;
}

inline model::Model binary_model() {
  model::Model model = small_model();
  model.task = data::Task::binary;
  model.loss = loss::Loss::named("logistic", {0.1, 0.9});
  model.classes = {"no", "yes \"quoted\" \\ {\"checksum\":\"00000000\"}"};
  model.target_shift.clear();
  model.target_scale.clear();
  model.encoder = data::Encoder(
      {{.name = "größe", .mean = 0.1, .scale = 0.3, .gap_flag = true},
       {.name = "", .kind = data::Column::Kind::text, .levels = {"red", "", "a\nb\t"}, .shares = {0.5, 0.25, 0.125}}});
  model.network = sample_network(5, 1, 3);
  model.provenance.validation_loss = {3.0, 2.0, 1.0};
  model.provenance.choice = {5, 100, {{{{"alpha", "10"}, {"bins", "8"}}, 3, 0.1}, {{{"alpha", "1"}}, 2, 1.0 / 3.0}}};
  return model;
}

inline model::Model multiclass_model() {
  model::Model model = binary_model();
  model.task = data::Task::multiclass;
  model.loss = loss::Loss::named("softmax");
  model.targets = {"\"checksum\":\""};
  model.classes = {"一", "二", std::string("nul\0inside", 10), "🙂"};
  model.target_shift = {0.0};
  model.target_scale = {1.0};
  model.network = sample_network(5, 4, 2);
  return model;
}

/// The small model with bins in its second input.
inline model::Model binned_model() {
  model::Model model = small_model();
  auto inputs = model.encoder.inputs();
  inputs[1].knots = {-4.5f, -2.0f, 0.1f, 11.0f};
  inputs[1].bin_means = {0.9, 0.5, 1.0 / 3.0};
  inputs[1].bin_scales = {0.1, 0.4, 0.3};
  model.encoder = data::Encoder(inputs);
  model.network = sample_network(5, 1, 2);
  return model;
}

inline void expect_same(const network::Network& a, const network::Network& b) {
  const auto equal = [](auto x, auto y) { EXPECT_TRUE(std::equal(x.begin(), x.end(), y.begin(), y.end())); };
  EXPECT_EQ(a.features(), b.features());
  EXPECT_EQ(a.outputs(), b.outputs());
  EXPECT_EQ(a.activation(), b.activation());
  equal(a.step_ends(), b.step_ends());
  equal(a.hidden_weights(), b.hidden_weights());
  equal(a.hidden_bias(), b.hidden_bias());
  equal(a.output_weights(), b.output_weights());
  equal(a.prefix_bias(), b.prefix_bias());
}

inline void expect_same(const model::Model& a, const model::Model& b) {
  EXPECT_EQ(a.task, b.task);
  EXPECT_STREQ(a.loss.name(), b.loss.name());
  EXPECT_EQ(a.loss.settings, b.loss.settings);
  EXPECT_EQ(a.targets, b.targets);
  EXPECT_EQ(a.classes, b.classes);
  EXPECT_EQ(a.target_shift, b.target_shift);
  EXPECT_EQ(a.target_scale, b.target_scale);
  EXPECT_EQ(a.encoder.inputs(), b.encoder.inputs());
  EXPECT_EQ(a.encoder.features(), b.encoder.features());
  expect_same(a.network, b.network);
  EXPECT_EQ(a.provenance.version, b.provenance.version);
  EXPECT_EQ(a.provenance.parameters, b.provenance.parameters);
  EXPECT_EQ(a.provenance.training_rows, b.provenance.training_rows);
  EXPECT_EQ(a.provenance.data_fingerprint, b.provenance.data_fingerprint);
  EXPECT_EQ(a.provenance.train_loss, b.provenance.train_loss);
  EXPECT_EQ(a.provenance.validation_loss, b.provenance.validation_loss);
  EXPECT_EQ(a.provenance.choice, b.provenance.choice);
}

}  // namespace accrete::io
