#pragma once
// A GPU that does many fits at once: each is one block of threads, from the first step to the scores of its test rows.
//
// device.cpp is compiled where CUDA is wanted (ACCRETE_CUDA), no_cuda.cpp where it is not.

#include <memory>

#include "accrete/backend/many_fits.hpp"

namespace accrete::cuda {

/// The first device. Throws core::Error of one line where there is none, no driver, or no CUDA in this build.
std::unique_ptr<backend::ManyFits> open();

}  // namespace accrete::cuda
