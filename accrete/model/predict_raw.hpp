#pragma once
// Prediction of rows whose levels were already looked up.

#include <cstddef>

#include "accrete/core/matrix.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/model/model.hpp"

namespace accrete::model {

/// Predictions for rows of raw values (data/encoder/column_encoding.hpp), one column per input: numbers, and index of
/// the level. Bit-identical to predict for a table of these rows, and independent of the other rows. Throws UsageError
/// if the width differs, DataError if a value is infinite.
core::Matrix<double> predict_raw(const Model& model, core::MatrixView<const float> raw, std::size_t steps,
                                 core::Workers& workers);

}  // namespace accrete::model
