#include "accrete/io/model_file/plain.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "accrete/core/error.hpp"

namespace accrete::io {
namespace {

std::string weight_name(std::size_t layer) {
  return fmt::format("layer{}.weight", layer);
}

std::string bias_name(std::size_t layer) {
  return fmt::format("layer{}.bias", layer);
}

}  // namespace

PlainTensors::PlainTensors(const model::Model& model) : model_(model) {
  if (model.members.empty()) return;
  const network::PlainShape& shape = model.members.front().network.shape;
  for (const model::Member& member : model.members) votes_.push_back(member.weight);
  for (std::size_t l = 0; l < shape.layers(); ++l) {
    Layer layer{weight_name(l), bias_name(l), {}, {}};
    for (const model::Member& member : model.members) {
      const float* p = member.network.parameters.data();
      layer.weights.insert(layer.weights.end(), p + shape.weights_at(l), p + shape.bias_at(l));
      layer.biases.insert(layer.biases.end(), p + shape.bias_at(l), p + shape.bias_at(l) + shape.outputs(l));
    }
    layers_.push_back(std::move(layer));
  }
}

void PlainTensors::add_doubles(Container& file) const {
  if (!votes_.empty()) file.tensors.push_back(make_column("member.weight", votes_));
}

void PlainTensors::add_floats(Container& file) const {
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const Layer& layer = layers_[l];
    const network::PlainShape& shape = model_.members.front().network.shape;
    const std::uint64_t members = votes_.size(), outputs = shape.outputs(l), inputs = shape.inputs(l);
    file.tensors.push_back(make_tensor<float>(layer.weight_name.c_str(), {members, outputs, inputs}, layer.weights));
    file.tensors.push_back(make_tensor<float>(layer.bias_name.c_str(), {members, outputs}, layer.biases));
  }
}

std::vector<model::Member> read_members(const Container& file, const std::vector<std::size_t>& widths,
                                        std::size_t count, activation::Activation activation) {
  // The widths are untrusted, so every tensor is checked against them before they are multiplied.
  const auto votes = read_column<double>(file, "member.weight");
  expect_shape("member.weight", {votes.size()}, {count});
  std::vector<std::vector<float>> weights, biases;
  for (std::size_t l = 0; l + 1 < widths.size(); ++l) {
    auto weight = read_tensor<float>(file, weight_name(l), 3);
    auto bias = read_tensor<float>(file, bias_name(l), 2);
    expect_shape(weight_name(l).c_str(), weight.shape, {count, widths[l + 1], widths[l]});
    expect_shape(bias_name(l).c_str(), bias.shape, {count, widths[l + 1]});
    weights.push_back(std::move(weight.values));
    biases.push_back(std::move(bias.values));
  }
  const network::PlainShape shape(widths);
  std::vector<model::Member> members;
  for (std::size_t m = 0; m < count; ++m) {
    model::Member member{{activation, shape, {}}, votes[m]};
    std::vector<float>& parameters = member.network.parameters;
    for (std::size_t l = 0; l < shape.layers(); ++l) {
      const auto take = [&](const std::vector<float>& from, std::size_t size) {
        const auto part = std::span(from).subspan(m * size, size);
        parameters.insert(parameters.end(), part.begin(), part.end());
      };
      take(weights[l], shape.inputs(l) * shape.outputs(l));
      take(biases[l], shape.outputs(l));
    }
    members.push_back(std::move(member));
  }
  return members;
}

}  // namespace accrete::io
