#pragma once
// Reads exported ONNX files back with ONNX's own schema.

#include <gtest/gtest.h>
#include <onnx.pb.h>

#include <map>
#include <string>
#include <vector>

#include "accrete/onnx/onnx.hpp"
#include "tests/io/sample_model.hpp"

namespace accrete::onnx {

using Tensor = ::onnx::TensorProto;

inline ::onnx::ModelProto read_back(const model::Model& model, bool dial = false) {
  ::onnx::ModelProto proto;
  EXPECT_TRUE(proto.ParseFromString(write(model, {.dial = dial})));
  return proto;
}

inline const Tensor& constant(const ::onnx::ModelProto& proto, const std::string& name) {
  for (const Tensor& tensor : proto.graph().initializer())
    if (tensor.name() == name) return tensor;
  ADD_FAILURE() << "no constant " << name;
  return Tensor::default_instance();
}

inline const ::onnx::NodeProto* find_node(const ::onnx::ModelProto& proto, const std::string& operation) {
  for (const ::onnx::NodeProto& node : proto.graph().node())
    if (node.op_type() == operation) return &node;
  return nullptr;
}

/// "name: type [N, columns]"
template <class Values>
std::vector<std::string> signatures(const Values& values) {
  std::vector<std::string> found;
  for (const auto& value : values) {
    std::string text = value.name() + ": " + std::to_string(value.type().tensor_type().elem_type());
    for (const auto& dim : value.type().tensor_type().shape().dim())
      text += dim.has_dim_param() ? " " + dim.dim_param() : " " + std::to_string(dim.dim_value());
    found.push_back(text);
  }
  return found;
}

inline std::map<std::string, std::string> metadata(const ::onnx::ModelProto& proto) {
  std::map<std::string, std::string> facts;
  for (const auto& entry : proto.metadata_props()) facts[entry.key()] = entry.value();
  return facts;
}

using Signatures = std::vector<std::string>;

}  // namespace accrete::onnx
