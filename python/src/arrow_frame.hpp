#pragma once
// A data frame of polars, pyarrow, DuckDB or another library, read without a copy through the Arrow C stream interface.

#include <nanobind/nanobind.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "arrow_abi.hpp"
#include "column_reading.hpp"

namespace accrete::python {

/// Owns all chunks of the stream.
class ArrowFrame {
 public:
  /// Calls __arrow_c_stream__. Throws DataError if the stream fails or is not a struct array.
  explicit ArrowFrame(nanobind::handle frame);

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return names_.size(); }
  const std::vector<std::string>& names() const { return names_; }

  /// Copies column c under another name. A dictionary column becomes text unless kind is numeric. Throws DataError that
  /// names the column if its type is not supported or does not match the kind.
  data::Column column(std::size_t c, const std::string& name, ColumnKind kind) const;

 private:
  void read_names();
  void check_chunk(const ArrowArray& chunk) const;

  OwnedArrow<ArrowSchema> schema_;
  std::vector<OwnedArrow<ArrowArray>> chunks_;
  std::vector<std::string> names_;
  std::size_t rows_ = 0;
};

}  // namespace accrete::python
