#pragma once
// The features of bins for many numbers at once, for the instruction set at hand. Like standardising: a difference and
// a product in double, rounded to float, so that a row alone and a column of a table give the same bits everywhere.

#include <cstddef>

#include "accrete/data/ramps.hpp"

namespace accrete::data {

/// One bin: values[i] from x[i], which is another place. An infinity comes out as if it were a large number.
void ramp_column(const Ramp& by, const float* x, std::size_t count, float* values);

/// One number, all bins: as many values.
void ramp_row(const Ramps& by, float x, float* values);

}  // namespace accrete::data
