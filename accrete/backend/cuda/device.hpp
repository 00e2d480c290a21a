#pragma once
// A GPU that does whole fits: many at once, each by a warp or a block of threads, or one by all of it.
//
// device.cpp is compiled where CUDA is wanted (ACCRETE_CUDA), no_cuda.cpp where it is not.

#include <memory>

#include "accrete/backend/many_fits.hpp"

namespace accrete::cuda {

/// The first device. Throws core::Error of one line where there is none, no driver, or no CUDA in this build.
std::unique_ptr<backend::ManyFits> open();

/// Bytes a second that the device reads and writes when it copies a large array; what a benchmark's are held against.
double copy_bandwidth();

}  // namespace accrete::cuda
