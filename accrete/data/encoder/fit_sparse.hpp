#pragma once
// Fits the encoding of a sparse column to the training rows: a scale, and no shift.

#include <vector>

#include "accrete/data/encoder/fit_input.hpp"

namespace accrete::data {

/// Weight of every row of the table, 0 for rows that are not learnt from; sparse columns index it by row.
struct RowWeights {
  RowWeights(const Table& table, const WeightedRows& from);

  std::vector<double> of_row;
  double total = 0.0;
  std::size_t count = 0;  ///< number of rows to learn from
};

/// Mean 0; scale is the standard deviation. A column with very few entries is scaled as if it had more: with unit
/// variance, the solver of a step would move its weight too far.
Input fit_sparse(const Column& column, const RowWeights& from, const EncoderOptions& options);

}  // namespace accrete::data
