#pragma once
// Tensors in binary form: elements are little-endian; text is a 4-byte length and its bytes.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "accrete/serve/tensor.hpp"

namespace accrete::serve {

/// Fills the values of a tensor from its bytes. Throws RequestError if they do not match datatype and shape.
void read_binary(Tensor& tensor, std::string_view bytes);

/// Appends the values in binary form.
void append_binary(std::string& bytes, std::span<const double> numbers, const Datatype& type);  ///< FP64 or BOOL
void append_binary(std::string& bytes, std::span<const std::string> texts);                     ///< BYTES

}  // namespace accrete::serve
