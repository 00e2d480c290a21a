#pragma once
// Checks the values of a JSON tensor against its datatype and shape.

#include <cstddef>

#include "accrete/serve/tensor.hpp"

namespace accrete::serve {

/// Kinds of values found in the data of a tensor, besides text and nulls.
struct JsonValues {
  bool numbers = false;        ///< including true and false
  bool booleans = false;       ///< true and false
  std::size_t row_length = 0;  ///< nested data: values per row
};

/// tensor.numbers must have an element for every value. Throws RequestError that names the input.
void check_json_values(Tensor& tensor, const JsonValues& found);

}  // namespace accrete::serve
