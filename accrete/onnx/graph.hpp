#pragma once
// Builds an ONNX graph value by value. Internal to onnx::write. Every call returns the name of the value it adds: the
// given name, with _ appended as long as another value has it.

#include <onnx.pb.h>

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace accrete::onnx {

using Names = std::vector<std::string>;

struct IntAttribute {
  const char* name;
  std::int64_t value;
};

class Graph {
 public:
  using Type = ::onnx::TensorProto;
  /// Symbolic name of the number of rows in shapes.
  static constexpr const char* rows = "N";

  /// Reserves a name for an output or the dial's input, so that no column can take it.
  void reserve(const std::string& name) { names_.insert(name); }

  /// A rows x columns input of a TensorProto type; `about` is its doc string.
  std::string input(const std::string& name, int type, std::size_t columns, const std::string& about);
  /// An input with one integer for all rows. Its name is exactly `name`.
  std::string integer_input(const std::string& name, const std::string& about);
  /// Declares the value `name` as an output; columns 0: a vector of rows.
  void output(const std::string& name, int type, std::size_t columns);

  /// A constant tensor in single precision. Throws DataError for a number outside its range.
  std::string floats(const std::string& name, const std::vector<std::size_t>& shape, std::span<const double> values);
  /// Constant vectors.
  std::string integers(const std::string& name, std::span<const std::int64_t> values);
  std::string strings(const std::string& name, std::span<const std::string> values);

  std::string node(const char* operation, const Names& inputs, const std::string& output,
                   const std::vector<IntAttribute>& attributes = {});
  /// Adds a node with two outputs; returns the first and ignores the second.
  std::string first_of_two(const char* operation, const Names& inputs, const std::string& output,
                           const std::vector<IntAttribute>& attributes);
  /// Adds a node whose result is an output of the graph, with a reserved name.
  void output_node(const char* operation, const Names& inputs, const std::string& output,
                   const std::vector<IntAttribute>& attributes = {});
  /// An ai.onnx.ml LabelEncoder: codes[i] for text equal to keys[i], otherwise `otherwise`.
  std::string label_encoder(const std::string& texts, std::span<const std::string> keys,
                            std::span<const std::int64_t> codes, std::int64_t otherwise);

  /// True if the graph needs the ai.onnx.ml opset.
  bool uses_ml() const { return uses_ml_; }
  ::onnx::GraphProto& proto() { return proto_; }

 private:
  std::string unique_name(std::string name);
  ::onnx::NodeProto& add_node(const char* operation, const Names& inputs, const std::string& output);

  ::onnx::GraphProto proto_;
  std::set<std::string> names_;
  bool uses_ml_ = false;
};

}  // namespace accrete::onnx
