#pragma once
// Ramps for callers outside the training kernels, dispatched to the CPU's instruction set. The formula is the one in
// ramp-inl.hpp, so single rows, table columns and training tiles have bit-identical ramps.

#include <cstddef>

#include "accrete/data/encoder/ramps.hpp"

namespace accrete::data {

/// One bin: values[i] from x[i]; the arrays may alias. An infinity is treated as a large number.
void ramp_column(const Ramp& by, const float* x, std::size_t count, float* values);

/// One number, all bins: writes by.size() values.
void ramp_row(const Ramps& by, float x, float* values);

}  // namespace accrete::data
