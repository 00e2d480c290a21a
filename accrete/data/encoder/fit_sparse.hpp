#pragma once
// Fits the encoding of a sparse column to the training rows: a scale, and no shift.

#include <vector>

#include "accrete/data/encoder/fit_input.hpp"

namespace accrete::data {

/// Weights of the rows to learn from by row of the table, 0 for all others: a sparse column looks rows up.
struct RowWeights {
  RowWeights(const Table& table, const WeightedRows& from);

  std::vector<double> of_row;
  double total = 0.0;
  std::size_t count = 0;  ///< rows to learn from
};

/// The mean is 0 and the scale the standard deviation. A column that few rows have is scaled as if more had it: scaled
/// to unit variance, a step's solver would move it too far.
Input fit_sparse(const Column& column, const RowWeights& from, const EncoderOptions& options);

}  // namespace accrete::data
