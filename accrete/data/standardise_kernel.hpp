#pragma once
// Standardising many numbers at once, for the instruction set at hand: (x - mean) / scale in double, rounded to float,
// 0 where missing (NaN). The division is a product with 1 / scale, here and in every other place that standardises, so
// that a row alone and a column of a table give the same bits.

#include <cstddef>

namespace accrete::data {

/// How a numeric input is standardised.
struct Standard {
  double mean = 0.0;
  double inverse = 1.0;  ///< 1 / scale
};

/// One column: values[i] from x[i], which may be the same place. gaps, unless null, gets 1 where missing and 0
/// elsewhere. Returns false when an infinity was met.
bool standardise_column(const Standard& by, const float* x, std::size_t count, float* values, float* gaps);

/// One row of as many inputs; means and inverses lie apart. Returns false when an infinity was met.
bool standardise_row(const double* means, const double* inverses, const float* x, std::size_t count, float* values);

/// Row-major rows into columns: column c of row r goes to out[place[c] * stride + r].
void spread_rows(const float* rows, std::size_t count, std::size_t columns, const std::size_t* place, float* out,
                 std::size_t stride);

}  // namespace accrete::data
