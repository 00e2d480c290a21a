#pragma once
// The type of an Arrow column, from the format string of its schema.

#include <string_view>

#include "arrow_abi.hpp"

namespace accrete::python {

enum class Storage {
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
};

struct Format {
  Storage storage = Storage::null;
  int scale = 0;  ///< of a decimal: digits after the point
};

/// Of the cells themselves, or of a dictionary's indices. Throws DataError naming the column and its type where neither
/// numbers nor text can be made of it.
Format format_of(const ArrowSchema& schema, std::string_view column);

bool is_integer(Storage storage);

}  // namespace accrete::python
