#pragma once
// The type of an Arrow column, from the format string of its schema.

#include <string_view>

#include "arrow_abi.hpp"

namespace accrete::python {

enum class ArrowStorage {
  null,
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  float32,
  float64,
  utf8,
  large_utf8,
  utf8_view,
  decimal32,
  decimal64,
  decimal128,
  date32,
  timestamp,  ///< or date64
};

struct ArrowFormat {
  ArrowStorage storage = ArrowStorage::null;
  int scale = 0;  ///< decimals: digits after the point; timestamps: digits after the second
};

/// The type of the cells, or of the indices of a dictionary column. Throws DataError that names the column if the type
/// is not supported.
ArrowFormat format_of(const ArrowSchema& schema, std::string_view column);

bool is_integer(ArrowStorage storage);
/// True for text and dates.
bool is_text(ArrowStorage storage);

}  // namespace accrete::python
