#pragma once
// The rows of a request: its tensors, matched to the model's columns and converted to raw values.

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
  std::vector<double> offsets;  ///< one per row; empty: none

  std::size_t rows() const { return raw.rows(); }
};

/// Reads text as the command reads CSV cells. Throws RequestError for an unknown, missing or repeated column, or
/// columns of different lengths; DataError that names row and column for a value that the model cannot read.
RequestRows read_rows(const ServedModel& served, const InferRequest& request);

}  // namespace accrete::serve
