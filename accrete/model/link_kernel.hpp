#pragma once
// From scores to predictions, many rows at once, for the instruction set at hand. The exponential is Highway's, within
// one unit in the last place of a double.

#include <cstddef>

#include "accrete/core/matrix.hpp"

namespace accrete::model {

/// Scores of a tile: score k of row r at values[k * stride + r]. stride is a multiple of 64, the values lie on a cache
/// line, and rows past the last hold anything. They are overwritten.
struct TileScores {
  double* values;
  std::size_t stride;
};

/// into: rows x 2, the probabilities of both classes from one score.
void sigmoid_tile(TileScores scores, core::MatrixView<double> into);

/// into: rows x scores.
void softmax_tile(TileScores scores, core::MatrixView<double> into);

}  // namespace accrete::model
