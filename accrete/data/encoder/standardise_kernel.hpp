#pragma once
// Standardises many numbers at once, for the instruction set of the CPU: (x - mean) * (1 / scale) in double, rounded to
// float, and 0 where missing (NaN). Every caller uses this formula, so a single row and a column give the same bits.

#include <cstddef>

#include "accrete/data/encoder/column_encoding.hpp"

namespace accrete::data {

/// values[i] from x[i]; both may be the same array. Returns false if x holds an infinity.
bool standardise_column(const Standardised& by, const float* x, std::size_t count, float* values);

/// One row of `count` columns. Returns false if x holds an infinity.
bool standardise_row(const double* means, const double* inverses, const float* x, std::size_t count, float* values);

/// flags[i] is 1 where x[i] is missing and 0 elsewhere; both may be the same array.
void flag_missing(const float* x, std::size_t count, float* flags);

/// Transposes row-major rows: column c of row r goes to out[place[c] * stride + r].
void spread_rows(const float* rows, std::size_t count, std::size_t columns, const std::size_t* place, float* out,
                 std::size_t stride);

}  // namespace accrete::data
