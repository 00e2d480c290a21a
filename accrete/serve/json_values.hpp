#pragma once
// Checks that the values of a tensor in JSON are those of its datatype and shape.

#include <cstddef>

#include "accrete/serve/tensor.hpp"

namespace accrete::serve {

/// What the data of a tensor had, besides texts and nulls.
struct JsonValues {
  bool numbers = false;        ///< or true and false
  bool booleans = false;       ///< true and false
  std::size_t row_length = 0;  ///< of nested data: values of a row
};

/// tensor.numbers has an element for every value. Throws RequestError that names the input.
void check_json_values(Tensor& tensor, const JsonValues& found);

}  // namespace accrete::serve
