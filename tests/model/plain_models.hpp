#pragma once
// Plain models that are small enough to evaluate by hand.

#include <string>
#include <vector>

#include "accrete/model/model.hpp"

namespace accrete::model {

/// A plain model without members: one numeric input, not standardised.
inline Model plain_base(Method method, data::Task task, std::size_t outputs) {
  Model model;
  model.method = method;
  model.task = task;
  const bool classes = task != data::Task::regression;
  model.loss = loss::Loss::named(!classes ? "squared" : task == data::Task::binary ? "logistic" : "softmax");
  model.targets = {"y"};
  for (std::size_t k = 0; classes && k < std::max<std::size_t>(outputs, 2); ++k)
    model.classes.push_back(std::string(1, static_cast<char>('a' + k)));
  model.target_shift = {0.0};
  model.target_scale = {1.0};
  model.encoder = data::Encoder({{.name = "x", .mean = 0.0, .scale = 1.0}});
  model.network = network::Network(1, activation::Activation::named("relu"), std::vector<double>(outputs, 0.0));
  model.provenance.version = "0.1.0";
  model.provenance.parameters = {{"method", method_name(method)}, {"solver", "adam"}};
  model.provenance.train_loss = {1.0, 0.5};
  return model;
}

/// A network without hidden layers: score k is weights[k] x + biases[k].
inline Member linear_member(std::vector<float> weights, std::vector<float> biases, double vote) {
  const network::PlainShape shape({1, weights.size()});
  weights.insert(weights.end(), biases.begin(), biases.end());
  return {{activation::Activation::named("relu"), shape, std::move(weights)}, vote};
}

/// A regression network with two hidden layers of two relu units each.
inline Model plain_network() {
  Model model = plain_base(Method::network, data::Task::regression, 1);
  const network::PlainShape shape({1, 2, 2, 1});
  const std::vector<float> parameters{2.0f,  -1.0f, 0.0f,  0.5f,          // first layer: 2x, 0.5 - x
                                      1.0f,  1.0f,  1.0f,  -1.0f, -1.0f,  // second: sum - 1, difference
                                      0.25f, 3.0f,  -2.0f, 1.0f};         // output: 3 and -2, bias 1
  model.members = {{{activation::Activation::named("relu"), shape, parameters}, 1.0}};
  return model;
}

/// Three networks that vote on three classes: two predict b for x > 0 and a otherwise, one always predicts c.
inline Model voting_model() {
  Model model = plain_base(Method::adaboost, data::Task::multiclass, 3);
  model.members = {linear_member({-1.0f, 1.0f, 0.0f}, {0.0f, 0.0f, -9.0f}, 1.0),
                   linear_member({-1.0f, 1.0f, 0.0f}, {0.0f, 0.0f, -9.0f}, 2.0),
                   linear_member({0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f}, 2.5)};
  return model;
}

inline data::Table one_column(std::vector<float> values) {
  data::Table table{"made up", {}};
  table.columns.push_back({"x", data::Column::Kind::numeric, std::move(values), {}, {}});
  return table;
}

}  // namespace accrete::model
