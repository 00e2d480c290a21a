#pragma once
// Ramps for callers outside the training kernels, for the instruction set of the CPU. The formula is that of
// ramp-inl.hpp, so a single row, a column of a table and a tile of training rows give the same bits.

#include <cstddef>

#include "accrete/data/encoder/ramps.hpp"

namespace accrete::data {

/// One bin: values[i] from x[i]; both may be the same array. An infinity gives the value of a large number.
void ramp_column(const Ramp& by, const float* x, std::size_t count, float* values);

/// One number, all bins: by.size() values.
void ramp_row(const Ramps& by, float x, float* values);

}  // namespace accrete::data
