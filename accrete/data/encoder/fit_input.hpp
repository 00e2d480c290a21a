#pragma once
// Fits the encoding of one column to the training rows.

#include <cstddef>

#include "accrete/data/input.hpp"

namespace accrete::data {

struct EncoderOptions {
  bool standardise = true;  ///< to mean 0 and deviation 1 over the training rows; false keeps the column's units
  std::size_t bins = 0;     ///< of numeric columns, at most max_bins; 0: no bins
};

/// Learns how the column is encoded. Throws DataError for an infinity.
Input fit_input(const Table& table, const Column& column, const WeightedRows& from, const EncoderOptions& options);

}  // namespace accrete::data
