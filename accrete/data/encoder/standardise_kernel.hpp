#pragma once
// Vectorised standardisation, dispatched to the CPU's instruction set: (x - mean) * (1 / scale) in double, clamped to
// max_deviations, rounded to float, and 0 where missing (NaN). Every caller uses this formula, so single rows and
// columns give bit-identical features.

#include <cstddef>

#include "accrete/data/encoder/column_encoding.hpp"

namespace accrete::data {

/// values[i] from x[i]; the arrays may alias. Returns false if x contains an infinity.
bool standardise_column(const Standardised& by, const float* x, std::size_t count, float* values);

/// One row of `count` columns. Returns false if x contains an infinity.
bool standardise_row(const double* means, const double* inverses, const float* x, std::size_t count, float* values);

/// flags[i] is 1 where x[i] is missing and 0 elsewhere; the arrays may alias.
void flag_missing(const float* x, std::size_t count, float* flags);

/// Transposes row-major rows: column c of row r goes to out[place[c] * stride + r].
void transpose_rows(const float* rows, std::size_t count, std::size_t columns, const std::size_t* place, float* out,
                    std::size_t stride);

}  // namespace accrete::data
