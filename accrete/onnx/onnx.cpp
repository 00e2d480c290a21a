#include "accrete/onnx/onnx.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "accrete/core/error.hpp"
#include "accrete/core/version.hpp"
#include "accrete/data/written_number.hpp"
#include "accrete/io/model_check.hpp"
#include "accrete/io/utf8.hpp"
#include "accrete/model/plain.hpp"
#include "accrete/onnx/hidden.hpp"

namespace accrete::onnx {
namespace {

constexpr int ir_version = 8, opset = 13, ml_opset = 2;

// One line per activation of the list.
constexpr std::array<std::pair<std::string_view, const char*>, 3> operations{
    {{"logistic", "Sigmoid"}, {"tanh", "Tanh"}, {"relu", "Relu"}}};

const char* operation_of(activation::Activation activation) {
  for (const auto& [name, operation] : operations)
    if (name == activation.name()) return operation;
  throw core::UsageError(fmt::format("ONNX: the activation {} cannot be written", activation.name()));
}

/// What a file can hold, beyond what every model keeps to.
void check(const model::Model& model, const Options& options) {
  model::require_grown(model, "ONNX");
  io::check_model(model);
  if (model.encoder.inputs().empty()) throw core::UsageError("ONNX: a model without inputs cannot be written");
  if (options.dial && model.network.steps() == 0)
    throw core::UsageError("ONNX: the network has no units that a dial could choose from");
  for (std::size_t t = 0; t < model.target_scale.size(); ++t)
    check_scale("target", model.targets[t], model.target_scale[t]);
  // Names pass through C strings on their way to a running graph.
  const auto check_text = [](const std::string& text, const char* what, bool name) {
    if (io::find_not_utf8(text) || (name && text.find('\0') != std::string::npos))
      throw core::UsageError(fmt::format("ONNX: the {} '{}' is not text in UTF-8", what, text));
  };
  for (const data::Input& input : model.encoder.inputs()) check_text(input.name, "column name", true);
  for (const std::string& target : model.targets) check_text(target, "target name", false);
  for (const std::string& label : model.classes) check_text(label, "class", false);
}

/// The output layer with the link's own arithmetic folded in.
struct OutputLayer {
  std::size_t columns = 0;
  std::vector<double> weights;      ///< units x columns
  std::vector<double> prefix_bias;  ///< (steps + 1) x columns
  const char* link = nullptr;       ///< operation from scores to predictions; none for identity
};

OutputLayer output_layer(const model::Model& model) {
  // Each column is an output, times a factor, plus a shift of the bias.
  struct From {
    std::size_t output;
    double factor = 1.0, shift = 0.0;
  };
  std::vector<From> columns;
  OutputLayer layer;
  const std::size_t outputs = model.network.outputs();
  switch (model.loss.link()) {
    case loss::Link::sigmoid:
      // The score against and for the second class, so that neither probability is a difference.
      columns = {{0, -1.0}, {0, 1.0}};
      layer.link = "Sigmoid";
      break;
    case loss::Link::softmax:
    case loss::Link::exponential:
      for (std::size_t k = 0; k < outputs; ++k) columns.push_back({k});
      layer.link = model.loss.link() == loss::Link::softmax ? "Softmax" : "Exp";
      break;
    case loss::Link::identity:
      for (std::size_t k = 0; k < outputs; ++k) columns.push_back({k, model.target_scale[k], model.target_shift[k]});
      break;
  }
  layer.columns = columns.size();
  for (std::size_t u = 0; u < model.network.units(); ++u)
    for (const From& from : columns)
      layer.weights.push_back(from.factor * model.network.output_weights()[u * outputs + from.output]);
  for (std::size_t t = 0; t <= model.network.steps(); ++t)
    for (const From& from : columns)
      layer.prefix_bias.push_back(from.factor * model.network.bias_after(t)[from.output] + from.shift);
  return layer;
}

/// The classes as whole numbers, when all are and no two are the same.
std::optional<std::vector<std::int64_t>> whole_classes(const std::vector<std::string>& classes) {
  std::vector<std::int64_t> wholes;
  for (const std::string& label : classes) {
    const auto whole = data::parse_whole(label);
    if (!whole) return std::nullopt;
    wholes.push_back(*whole);
  }
  if (std::set<std::int64_t>(wholes.begin(), wholes.end()).size() != wholes.size()) return std::nullopt;
  return wholes;
}

void add_label(Graph& graph, const std::vector<std::string>& classes, const std::string& scores) {
  const std::string best = graph.node("ArgMax", {scores}, "best_class", {{"axis", 1}, {"keepdims", 0}});
  const auto wholes = whole_classes(classes);
  const std::string labels = wholes ? graph.wholes("classes", *wholes) : graph.texts("classes", classes);
  graph.output_node("Gather", {labels, best}, "label", {{"axis", 0}});
  graph.output("label", wholes ? Graph::Type::INT64 : Graph::Type::STRING, 0);
}

void add_graph(Graph& graph, const model::Model& model, const Options& options) {
  const bool classifies = !model.classes.empty();
  const char* predictions = classifies ? "probabilities" : "variable";
  for (const char* name : {classifies ? "label" : "variable", predictions}) graph.reserve(name);
  if (options.dial) graph.reserve(Dial::input);
  const Columns columns = add_columns(graph, model.encoder);
  Dial dial(graph, model.network, options.dial);
  const Hidden hidden = add_hidden(graph, model, columns, dial);
  const OutputLayer layer = output_layer(model);

  const std::string active = graph.node(operation_of(model.network.activation()), {hidden.sums}, "hidden");
  const std::string weights =
      dial.cut(graph.numbers("output_weights", {model.network.units(), layer.columns}, layer.weights), 0);
  const std::string bias = dial.bias("output_bias", layer.columns, layer.prefix_bias);
  const std::string scores = graph.node("Gemm", {active, weights, bias}, "scores");
  const std::string linked = layer.link ? graph.node(layer.link, {scores}, "linked") : scores;
  if (classifies) add_label(graph, model.classes, scores);
  // An infinity, which accrete refuses, would come out as some number: times 0 it is NaN, and anything else is 0.
  if (hidden.filled.empty()) {
    graph.output_node("Identity", {linked}, predictions);
  } else {
    const std::vector<double> zeros(hidden.numeric_inputs * layer.columns);
    const std::string nothing = graph.numbers("zeros", {hidden.numeric_inputs, layer.columns}, zeros);
    graph.output_node("Gemm", {hidden.filled, nothing, linked}, predictions);
  }
  graph.output(predictions, Graph::Type::FLOAT, layer.columns);
}

void add_metadata(::onnx::ModelProto& proto, const model::Model& model) {
  nlohmann::json inputs = nlohmann::json::array();
  for (const data::Input& input : model.encoder.inputs()) inputs.push_back(input.name);
  const std::vector<std::pair<const char*, std::string>> facts{
      {"accrete_version", model.provenance.version},       {"task", data::task_name(model.task)},
      {"units", fmt::format("{}", model.network.units())}, {"inputs", inputs.dump()},
      {"targets", nlohmann::json(model.targets).dump()},   {"classes", nlohmann::json(model.classes).dump()}};
  for (const auto& [key, value] : facts) {
    auto& entry = *proto.add_metadata_props();
    entry.set_key(key);
    entry.set_value(value);
  }
}

/// A network of the start value alone gets one unit that adds nothing, since a layer of no units is none to some.
network::Network with_a_unit(network::Network network) {
  network::Block block;
  block.units = 1;
  block.outputs = network.outputs();
  block.hidden_bias = {0.0f};
  block.output_weights.assign(network.outputs(), 0.0f);
  block.output_bias.assign(network.outputs(), 0.0);
  network.append(block);
  return network;
}

}  // namespace

std::string write(const model::Model& model, const Options& options) {
  check(model, options);
  Graph graph;
  if (model.network.steps() > 0) {
    add_graph(graph, model, options);
  } else {
    model::Model other = model;
    other.network = with_a_unit(other.network);
    add_graph(graph, other, options);
  }
  ::onnx::ModelProto proto;
  proto.set_ir_version(ir_version);
  proto.set_producer_name("accrete");
  proto.set_producer_version(core::version());
  proto.add_opset_import()->set_version(opset);
  proto.mutable_opset_import(0)->set_domain("");
  if (graph.uses_ml()) {
    auto& ml = *proto.add_opset_import();
    ml.set_domain("ai.onnx.ml");
    ml.set_version(ml_opset);
  }
  add_metadata(proto, model);
  graph.proto().set_name("accrete");
  proto.mutable_graph()->Swap(&graph.proto());
  // protobuf's own bound.
  constexpr std::size_t most = std::numeric_limits<int>::max();
  if (const std::size_t bytes = proto.ByteSizeLong(); bytes > most)
    throw core::UsageError(fmt::format("ONNX: the model takes {} bytes; one file holds {}", bytes, most));
  return proto.SerializeAsString();
}

}  // namespace accrete::onnx
