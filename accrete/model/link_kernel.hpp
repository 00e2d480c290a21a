#pragma once
// SIMD links from scores to predictions. The exponential is Highway's, within 1 ulp of a double.

#include <cstddef>

#include "accrete/core/matrix.hpp"

namespace accrete::model {

/// Scores of a tile: score k of row r is values[k * stride + r]. stride is a multiple of 64, values is aligned to 64
/// bytes, and padding rows may hold any value. The kernels overwrite the scores.
struct TileScores {
  double* values;
  std::size_t stride;
};

/// into: rows x 2, the probabilities of both classes.
void sigmoid_tile(TileScores scores, core::MatrixView<double> into);

/// into: rows x classes.
void softmax_tile(TileScores scores, core::MatrixView<double> into);

}  // namespace accrete::model
