#pragma once
// Prediction of rows whose texts were looked up already.

#include <cstddef>

#include "accrete/core/matrix.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/model/model.hpp"

namespace accrete::model {

/// Predictions for rows of raw values (data/encoder/column_encoding.hpp), one column per input: numbers, and levels by
/// their index. Gives the bits that predict gives for the table of these rows, whatever the other rows are. Throws
/// UsageError if the width differs, DataError if a value is infinite.
core::Matrix<double> predict_raw(const Model& model, core::MatrixView<const float> raw, std::size_t steps,
                                 core::Workers& workers);

}  // namespace accrete::model
