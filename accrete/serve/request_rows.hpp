#pragma once
// The rows of a request: its tensors matched with the columns of a model and converted to raw values.

#include <cstddef>
#include <vector>

#include "accrete/core/matrix.hpp"
#include "accrete/data/table.hpp"
#include "accrete/serve/infer_request.hpp"
#include "accrete/serve/served_model.hpp"

namespace accrete::serve {

struct RequestRows {
  data::Table table;
  core::Matrix<float> raw;      ///< rows x inputs of the model (data/encoder/column_encoding.hpp)
  std::vector<double> offsets;  ///< of each row; empty: none

  std::size_t rows() const { return raw.rows(); }
};

/// Reads texts as the command reads the cells of a CSV file. Throws RequestError for an unknown, missing or repeated
/// column, or columns of different lengths; DataError, naming row and column, for a value that the model cannot read.
RequestRows read_rows(const ServedModel& served, const InferRequest& request);

}  // namespace accrete::serve
