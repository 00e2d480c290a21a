#pragma once
// The CUDA backend: runs many fits at once, each on a warp or a block of threads, or one fit on the whole GPU.
//
// Compiled from device.cpp with ACCRETE_CUDA, otherwise from no_cuda.cpp.

#include <cstddef>
#include <memory>

#include "accrete/backend/fit_device.hpp"

namespace accrete::cuda {

/// Optional kernels and passes. A benchmark disables one to measure its gain; the comments name the fallback.
struct EnabledPasses {
  bool fixed_kernels = true;  ///< units and outputs known at compile time; off: general kernels, or evaluated steps
  bool warp_kernels = true;   ///< one warp runs a small fit; off: a block of four warps
  bool single_pass = true;    ///< one unit and output in one pass over the rows; off: two passes
  bool tiles = true;          ///< tiles of rows in shared memory; off: rows from global memory
};

/// Opens GPU number `index`, modulo the number of GPUs, for the calling thread. Throws core::Error if there is no GPU
/// or driver, or if the build has no CUDA.
std::unique_ptr<backend::FitDevice> open(const EnabledPasses& enabled = {}, std::size_t index = 0);

/// Bandwidth of a large device-to-device copy: bytes read plus written, per second.
double copy_bandwidth();

}  // namespace accrete::cuda
