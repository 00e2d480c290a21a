#pragma once
// An ONNX graph as it is written, a value after the other; the inside of onnx::write. Every call returns the name of
// the value it adds, which is the given one, changed where another value has it already.

#include <onnx.pb.h>

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace accrete::onnx {

using Names = std::vector<std::string>;

/// An attribute of a node.
struct Whole {
  const char* name;
  std::int64_t value;
};

class Graph {
 public:
  using Type = ::onnx::TensorProto;
  /// What the number of rows is called in shapes.
  static constexpr const char* rows = "N";

  /// Keeps a name for an output or the optional input, so that no column takes it.
  void reserve(const std::string& name) { taken_.insert(name); }

  /// rows x columns values of a type of TensorProto; `about` is kept as the input's description.
  std::string input(const std::string& name, int type, std::size_t columns, const std::string& about);
  /// A vector with a default, so that whoever runs the graph may leave the input out. Has this very name.
  std::string optional_input(const std::string& name, std::span<const std::int64_t> by_default,
                             const std::string& about);
  /// Of a value that has this very name; columns 0: a vector of rows.
  void output(const std::string& name, int type, std::size_t columns);

  /// A constant in single precision. Throws DataError for a number that is none there.
  std::string numbers(const std::string& name, const std::vector<std::size_t>& shape, std::span<const double> values);
  /// Vectors.
  std::string wholes(const std::string& name, std::span<const std::int64_t> values);
  std::string texts(const std::string& name, std::span<const std::string> values);

  std::string node(const char* operation, const Names& inputs, const std::string& output,
                   const std::vector<Whole>& attributes = {});
  /// The same for an output that the graph promises under a reserved name.
  void output_node(const char* operation, const Names& inputs, const std::string& output,
                   const std::vector<Whole>& attributes = {});
  /// A place of each text among the keys, by ai.onnx.ml; `otherwise` for one that is not there.
  std::string places(const std::string& texts, std::span<const std::string> keys, std::span<const std::int64_t> places,
                     std::int64_t otherwise);

  bool uses_ml() const { return uses_ml_; }
  ::onnx::GraphProto& proto() { return proto_; }

 private:
  std::string fresh(std::string name);
  ::onnx::NodeProto& add_node(const char* operation, const Names& inputs, const std::string& output);

  ::onnx::GraphProto proto_;
  std::set<std::string> taken_;
  bool uses_ml_ = false;
};

}  // namespace accrete::onnx
