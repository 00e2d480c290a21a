#pragma once
// Tensors of the Open Inference Protocol: a name, a datatype, a shape and values.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accrete::serve {

/// A datatype of the protocol. BYTES are text; all others are numbers that a double represents exactly, except integers
/// beyond 2^53, which are rounded.
struct Datatype {
  enum class Kind : std::uint8_t { boolean, unsigned_integer, signed_integer, floating, bytes };

  std::string_view name;  ///< "FP32"
  Kind kind;
  std::size_t bytes;  ///< per element; 0 for BYTES

  bool is_text() const { return kind == Kind::bytes; }
  bool is_whole() const { return kind != Kind::floating && kind != Kind::bytes; }
};

/// Null for an unknown name. The object has static lifetime.
const Datatype* find_datatype(std::string_view name);

/// "BOOL, UINT8, ..."
std::string datatype_names();

struct Tensor {
  std::string name = {};
  const Datatype* datatype = nullptr;
  std::vector<std::size_t> shape = {};
  std::vector<double> numbers = {};                    ///< row-major, unless the datatype is BYTES; NaN: missing
  std::vector<std::optional<std::string>> texts = {};  ///< for BYTES; unset: missing

  std::size_t size() const { return datatype && datatype->is_text() ? texts.size() : numbers.size(); }
};

/// The number of elements of a shape; unset if it exceeds size_t.
std::optional<std::size_t> element_count(const std::vector<std::size_t>& shape);

/// "[2, 3]"
std::string show_shape(const std::vector<std::size_t>& shape);

}  // namespace accrete::serve
