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
#include "accrete/data/recognise/decimal_text.hpp"
#include "accrete/io/model_file/check.hpp"
#include "accrete/io/utf8.hpp"
#include "accrete/model/interval.hpp"
#include "accrete/model/plain.hpp"
#include "accrete/model/predict_exit.hpp"
#include "accrete/onnx/hidden_layer.hpp"

namespace accrete::onnx {
namespace {

constexpr int ir_version = 8, opset = 13, ml_opset = 2;

constexpr std::array<std::pair<std::string_view, const char*>, 3> operations{
    {{"logistic", "Sigmoid"}, {"tanh", "Tanh"}, {"relu", "Relu"}}};

const char* operation_of(activation::Activation activation) {
  for (const auto& [name, operation] : operations)
    if (name == activation.name()) return operation;
  throw core::UsageError(fmt::format("ONNX: activation '{}' has no ONNX operator", activation.name()));
}

/// Checks limits that are specific to ONNX.
void check(const model::Model& model, const Options& options) {
  model::require_grown(model, "ONNX");
  io::check_model(model);
  if (model.encoder.inputs().empty()) throw core::UsageError("ONNX: a model without inputs cannot be exported");
  if (options.dial && model.network.steps() == 0)
    throw core::UsageError("ONNX: a network without units cannot have a dial");
  for (std::size_t t = 0; t < model.target_scale.size(); ++t)
    check_scale("target", model.targets[t], model.target_scale[t]);
  // Runtimes handle names as C strings, so a name must not contain NUL.
  const auto check_text = [](const std::string& text, const char* what, bool name) {
    if (io::find_invalid_utf8(text) || (name && text.find('\0') != std::string::npos))
      throw core::UsageError(fmt::format("ONNX: the {} '{}' is not valid UTF-8", what, text));
  };
  for (const data::Input& input : model.encoder.inputs()) check_text(input.name, "column name", true);
  for (const std::string& target : model.targets) check_text(target, "target name", false);
  for (const std::string& label : model.classes) check_text(label, "class", false);
}

/// The output layer with the target's scale and shift and the signs of the link folded in.
struct OutputLayer {
  std::size_t columns = 0;
  std::vector<double> weights;      ///< units x columns
  std::vector<double> prefix_bias;  ///< (steps + 1) x columns
  const char* link = nullptr;       ///< operator from scores to predictions; null for identity
};

OutputLayer output_layer(const model::Model& model) {
  // factor * output + shift
  struct OutputColumn {
    std::size_t output;
    double factor = 1.0, shift = 0.0;
  };
  std::vector<OutputColumn> columns;
  OutputLayer layer;
  const std::size_t outputs = model.network.outputs();
  switch (model.loss.link()) {
    case loss::Link::sigmoid:
      // Scores for both classes, so that neither probability is computed as 1 minus the other.
      columns = {{0, -1.0}, {0, 1.0}};
      layer.link = "Sigmoid";
      break;
    case loss::Link::softmax:
    case loss::Link::exponential:
    case loss::Link::probability:
      for (std::size_t k = 0; k < outputs; ++k) columns.push_back({k});
      layer.link = model.loss.link() == loss::Link::softmax       ? "Softmax"
                   : model.loss.link() == loss::Link::exponential ? "Exp"
                                                                  : "Sigmoid";
      break;
    case loss::Link::identity:
      for (std::size_t k = 0; k < outputs; ++k) {
        const std::size_t target = model.target_of(k);
        columns.push_back({k, model.target_scale[target], model.target_shift[target]});
      }
      break;
  }
  layer.columns = columns.size();
  for (std::size_t u = 0; u < model.network.units(); ++u)
    for (const OutputColumn& column : columns)
      layer.weights.push_back(column.factor * model.network.output_weights()[u * outputs + column.output]);
  for (std::size_t t = 0; t <= model.network.steps(); ++t)
    for (const OutputColumn& column : columns)
      layer.prefix_bias.push_back(column.factor * model.network.bias_after(t)[column.output] + column.shift);
  return layer;
}

/// The classes as integers if all are distinct integers; otherwise unset.
std::optional<std::vector<std::int64_t>> integer_classes(const std::vector<std::string>& classes) {
  std::vector<std::int64_t> integers;
  for (const std::string& label : classes) {
    const auto integer = data::parse_integer(label);
    if (!integer) return std::nullopt;
    integers.push_back(*integer);
  }
  if (std::set<std::int64_t>(integers.begin(), integers.end()).size() != integers.size()) return std::nullopt;
  return integers;
}

void add_label(Graph& graph, const std::vector<std::string>& classes, const std::string& scores) {
  const std::string best = graph.node("ArgMax", {scores}, "best_class", {{"axis", 1}, {"keepdims", 0}});
  const auto integers = integer_classes(classes);
  const std::string labels = integers ? graph.integers("classes", *integers) : graph.strings("classes", classes);
  graph.output_node("Gather", {labels, best}, "label", {{"axis", 0}});
  graph.output("label", integers ? Graph::Type::INT64 : Graph::Type::STRING, 0);
}

/// Sorts the values of every row in ascending order, as required for the quantiles of a prediction.
std::string sort_columns(Graph& graph, const std::string& values, std::size_t columns) {
  const std::int64_t all[] = {static_cast<std::int64_t>(columns)};
  const std::string count = graph.integers("quantile_count", all);
  return graph.first_of_two("TopK", {values, count}, "sorted", {{"axis", 1}, {"largest", 0}, {"sorted", 1}});
}

/// Applies an elementwise operation. monotone: computes in double, because a runtime's float version may not be
/// monotone for neighbouring numbers.
std::string apply(Graph& graph, const std::string& operation, const std::string& x, const std::string& output,
                  bool monotone) {
  if (!monotone || operation == "Relu") return graph.node(operation.c_str(), {x}, output);
  const std::string wide = graph.node("Cast", {x}, output + "_double_input", {{"to", Graph::Type::DOUBLE}});
  const std::string applied = graph.node(operation.c_str(), {wide}, output + "_double");
  return graph.node("Cast", {applied}, output, {{"to", Graph::Type::FLOAT}});
}

void add_graph(Graph& graph, const model::Model& model, const Options& options) {
  const bool classifies = !model.classes.empty();
  const char* predictions = classifies ? "probabilities" : "variable";
  for (const char* name : {classifies ? "label" : "variable", predictions}) graph.reserve(name);
  if (options.dial) graph.reserve(Dial::input);
  const GraphColumns columns = add_columns(graph, model.encoder);
  Dial dial(graph, model.network, options.dial);
  const HiddenLayer hidden = add_hidden_layer(graph, model, columns, dial);
  const OutputLayer layer = output_layer(model);

  const bool monotone = model.network.exact_activation();
  const std::string active = apply(graph, operation_of(model.network.activation()), hidden.sums, "hidden", monotone);
  const std::string weights =
      dial.prefix(graph.floats("output_weights", {model.network.units(), layer.columns}, layer.weights), 0);
  const std::string bias = dial.bias("output_bias", layer.columns, layer.prefix_bias);
  const std::string scores = graph.node("Gemm", {active, weights, bias}, "scores");
  std::string linked = layer.link ? apply(graph, layer.link, scores, "linked", monotone) : scores;
  if (!model.loss.quantiles().empty()) linked = sort_columns(graph, linked, layer.columns);
  if (classifies) add_label(graph, model.classes, scores);
  // accrete rejects infinities; a graph cannot, so it adds 0 * x, which is NaN where x is infinite and 0 elsewhere.
  if (hidden.filled.empty()) {
    graph.output_node("Identity", {linked}, predictions);
  } else {
    const std::vector<double> zeros(hidden.numeric_columns * layer.columns);
    const std::string zero = graph.floats("zeros", {hidden.numeric_columns, layer.columns}, zeros);
    graph.output_node("Gemm", {hidden.filled, zero, linked}, predictions);
  }
  graph.output(predictions, Graph::Type::FLOAT, layer.columns);
}

void add_metadata(::onnx::ModelProto& proto, const model::Model& model) {
  nlohmann::json inputs = nlohmann::json::array();
  for (const data::Input& input : model.encoder.inputs()) inputs.push_back(input.name);
  std::vector<std::pair<const char*, std::string>> facts{
      {"accrete_version", model.provenance.version},       {"task", data::task_name(model.task)},
      {"units", fmt::format("{}", model.network.units())}, {"inputs", inputs.dump()},
      {"targets", nlohmann::json(model.targets).dump()},   {"classes", nlohmann::json(model.classes).dump()}};
  if (const std::string note = model::interval_note(model); !note.empty()) facts.emplace_back("interval", note);
  if (const std::string note = model::exit_note(model); !note.empty()) facts.emplace_back("early_exit", note);
  for (const auto& [key, value] : facts) {
    auto& entry = *proto.add_metadata_props();
    entry.set_key(key);
    entry.set_value(value);
  }
}

/// Adds a unit with zero weights to a network that consists of a start score only; some runtimes reject empty layers.
network::Network with_zero_unit(network::Network network) {
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
    model::Model padded = model;
    padded.network = with_zero_unit(padded.network);
    add_graph(graph, padded, options);
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
  constexpr std::size_t max_bytes = std::numeric_limits<int>::max();  // limit of protobuf
  if (const std::size_t bytes = proto.ByteSizeLong(); bytes > max_bytes)
    throw core::UsageError(fmt::format("ONNX: the model takes {} bytes; a file holds at most {}", bytes, max_bytes));
  return proto.SerializeAsString();
}

}  // namespace accrete::onnx
