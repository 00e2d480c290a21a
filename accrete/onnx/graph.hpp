#pragma once
// Builds an ONNX graph value by value; the internals of onnx::write. Every call returns the name of the value it adds:
// the given name, with _ appended while another value has it.

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
  /// Name of the number of rows in shapes.
  static constexpr const char* rows = "N";

  /// Reserves a name for an output or the input of the dial, so that no column takes it.
  void reserve(const std::string& name) { names_.insert(name); }

  /// rows x columns values of a TensorProto type; `about` is the input's doc string.
  std::string input(const std::string& name, int type, std::size_t columns, const std::string& about);
  /// One integer for all rows. Its name is exactly `name`.
  std::string integer_input(const std::string& name, const std::string& about);
  /// Declares the value `name` as an output; columns 0: a vector of rows.
  void output(const std::string& name, int type, std::size_t columns);

  /// A constant tensor in single precision. Throws DataError for a number out of its range.
  std::string floats(const std::string& name, const std::vector<std::size_t>& shape, std::span<const double> values);
  /// Constant vectors.
  std::string integers(const std::string& name, std::span<const std::int64_t> values);
  std::string strings(const std::string& name, std::span<const std::string> values);

  std::string node(const char* operation, const Names& inputs, const std::string& output,
                   const std::vector<IntAttribute>& attributes = {});
  /// A node with two outputs; returns the first, the second is not used.
  std::string first_of_two(const char* operation, const Names& inputs, const std::string& output,
                           const std::vector<IntAttribute>& attributes);
  /// The same for an output of the graph, whose name is reserved.
  void output_node(const char* operation, const Names& inputs, const std::string& output,
                   const std::vector<IntAttribute>& attributes = {});
  /// An ai.onnx.ml LabelEncoder: codes[i] for a text equal to keys[i], else `otherwise`.
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
