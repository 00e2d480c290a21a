#pragma once
// A frame from anywhere, read once through the Arrow C stream interface: polars, pyarrow, DuckDB and others hand their
// columns over by it, without a copy.

#include <nanobind/nanobind.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "arrow_abi.hpp"
#include "column_reading.hpp"

namespace accrete::python {

/// The whole stream, kept until this goes.
class ArrowRows {
 public:
  /// Calls __arrow_c_stream__. Throws DataError where the stream fails, or holds no columns.
  explicit ArrowRows(nanobind::handle frame);

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return names_.size(); }
  const std::vector<std::string>& names() const { return names_; }

  /// Column c under another name. A dictionary is text whatever it holds, unless numbers are wanted. Throws DataError
  /// naming the column where its type is none that can be used, or not the one wanted.
  data::Column column(std::size_t c, const std::string& name, Wanted wanted) const;

 private:
  void read_names();
  void check_chunk(const ArrowArray& chunk) const;

  Owned<ArrowSchema> schema_;
  std::vector<Owned<ArrowArray>> chunks_;
  std::vector<std::string> names_;
  std::size_t rows_ = 0;
};

}  // namespace accrete::python
