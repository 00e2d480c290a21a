#include "accrete/onnx/graph.hpp"

#include <fmt/format.h>

#include <cmath>

#include "accrete/core/error.hpp"

namespace accrete::onnx {
namespace {

void set_columns(::onnx::ValueInfoProto& value, int type, std::size_t columns) {
  auto& tensor = *value.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(type);
  tensor.mutable_shape()->add_dim()->set_dim_param(Graph::rows);
  if (columns > 0) tensor.mutable_shape()->add_dim()->set_dim_value(static_cast<std::int64_t>(columns));
}

::onnx::AttributeProto& add_attribute(::onnx::NodeProto& node, const char* name,
                                      ::onnx::AttributeProto::AttributeType type) {
  auto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(type);
  return attribute;
}

void add_int_attributes(::onnx::NodeProto& node, const std::vector<IntAttribute>& attributes) {
  for (const IntAttribute& attribute : attributes)
    add_attribute(node, attribute.name, ::onnx::AttributeProto::INT).set_i(attribute.value);
}

}  // namespace

/// Columns may have arbitrary names; ONNX requires unique, non-empty names.
std::string Graph::unique_name(std::string name) {
  while (name.empty() || names_.contains(name)) name += '_';
  names_.insert(name);
  return name;
}

std::string Graph::input(const std::string& name, int type, std::size_t columns, const std::string& about) {
  auto& value = *proto_.add_input();
  value.set_name(unique_name(name));
  value.set_doc_string(about);
  set_columns(value, type, columns);
  return value.name();
}

std::string Graph::integer_input(const std::string& name, const std::string& about) {
  auto& value = *proto_.add_input();
  value.set_name(name);
  value.set_doc_string(about);
  auto& tensor = *value.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(Type::INT64);
  tensor.mutable_shape()->add_dim()->set_dim_value(1);
  return name;
}

void Graph::output(const std::string& name, int type, std::size_t columns) {
  auto& value = *proto_.add_output();
  value.set_name(name);
  set_columns(value, type, columns);
}

std::string Graph::floats(const std::string& name, const std::vector<std::size_t>& shape,
                          std::span<const double> values) {
  auto& tensor = *proto_.add_initializer();
  tensor.set_name(unique_name(name));
  tensor.set_data_type(Type::FLOAT);
  for (const std::size_t size : shape) tensor.add_dims(static_cast<std::int64_t>(size));
  tensor.mutable_float_data()->Reserve(static_cast<int>(values.size()));
  for (const double value : values) {
    const auto number = static_cast<float>(value);
    if (!std::isfinite(number))
      throw core::DataError(
          fmt::format("ONNX: {} holds {}, which exceeds single precision; the model cannot be exported", name, value));
    tensor.add_float_data(number);
  }
  return tensor.name();
}

std::string Graph::integers(const std::string& name, std::span<const std::int64_t> values) {
  auto& tensor = *proto_.add_initializer();
  tensor.set_name(unique_name(name));
  tensor.set_data_type(Type::INT64);
  tensor.add_dims(static_cast<std::int64_t>(values.size()));
  for (const std::int64_t value : values) tensor.add_int64_data(value);
  return tensor.name();
}

std::string Graph::strings(const std::string& name, std::span<const std::string> values) {
  auto& tensor = *proto_.add_initializer();
  tensor.set_name(unique_name(name));
  tensor.set_data_type(Type::STRING);
  tensor.add_dims(static_cast<std::int64_t>(values.size()));
  for (const std::string& value : values) tensor.add_string_data(value);
  return tensor.name();
}

::onnx::NodeProto& Graph::add_node(const char* operation, const Names& inputs, const std::string& output) {
  auto& node = *proto_.add_node();
  node.set_name(output);
  node.set_op_type(operation);
  for (const std::string& input : inputs) node.add_input(input);
  node.add_output(output);
  return node;
}

std::string Graph::node(const char* operation, const Names& inputs, const std::string& output,
                        const std::vector<IntAttribute>& attributes) {
  std::string name = unique_name(output);
  output_node(operation, inputs, name, attributes);
  return name;
}

std::string Graph::first_of_two(const char* operation, const Names& inputs, const std::string& output,
                                const std::vector<IntAttribute>& attributes) {
  std::string name = unique_name(output);
  auto& node = add_node(operation, inputs, name);
  node.add_output(unique_name(output + "_unused"));
  add_int_attributes(node, attributes);
  return name;
}

void Graph::output_node(const char* operation, const Names& inputs, const std::string& output,
                        const std::vector<IntAttribute>& attributes) {
  add_int_attributes(add_node(operation, inputs, output), attributes);
}

std::string Graph::label_encoder(const std::string& texts, std::span<const std::string> keys,
                                 std::span<const std::int64_t> codes, std::int64_t otherwise) {
  std::string name = unique_name(texts + "_level");
  auto& node = add_node("LabelEncoder", {texts}, name);
  node.set_domain("ai.onnx.ml");
  auto& from = add_attribute(node, "keys_strings", ::onnx::AttributeProto::STRINGS);
  for (const std::string& key : keys) from.add_strings(key);
  auto& to = add_attribute(node, "values_int64s", ::onnx::AttributeProto::INTS);
  for (const std::int64_t code : codes) to.add_ints(code);
  add_int_attributes(node, {{"default_int64", otherwise}});
  uses_ml_ = true;
  return name;
}

}  // namespace accrete::onnx
