#pragma once
// What one column of the training rows teaches the encoder.

#include <cstddef>

#include "accrete/data/input.hpp"

namespace accrete::data {

/// The scale of a feature that is the same in every row: nothing is left of a value divided by it.
inline constexpr double no_spread = 1e24;

struct EncoderOptions {
  bool standardise = true;  ///< to mean 0 and deviation 1 over the training rows; else every feature keeps its units
  std::size_t bins = 0;     ///< numeric columns: cut into this many, at most most_bins; 0: the number alone
};

/// Throws DataError for an infinity.
Input fit_input(const Table& table, const Column& column, const WeightedRows& from, const EncoderOptions& options);

}  // namespace accrete::data
