#pragma once
// The features of bins outside the kernels of training, for the instruction set at hand: the same formula
// (ramp-inl.hpp), so that a row alone, a column of a table and a tile of training rows give the same bits.

#include <cstddef>

#include "accrete/data/ramps.hpp"

namespace accrete::data {

/// One bin: values[i] from x[i], which is another place. An infinity comes out as if it were a large number.
void ramp_column(const Ramp& by, const float* x, std::size_t count, float* values);

/// One number, all bins: as many values.
void ramp_row(const Ramps& by, float x, float* values);

}  // namespace accrete::data
