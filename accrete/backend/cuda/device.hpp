#pragma once
// The CUDA backend: many fits at once, each by a warp or a block of threads, or one fit by the whole GPU.
//
// Compiled from device.cpp with ACCRETE_CUDA, else from no_cuda.cpp.

#include <memory>

#include "accrete/backend/fit_device.hpp"

namespace accrete::cuda {

/// Special kernels and passes. A benchmark disables one to measure its gain; what takes over is in the comment.
struct EnabledPasses {
  bool fixed_kernels = true;  ///< units and outputs known at compile time; else general kernels
  bool warp_kernels = true;   ///< small fits by one warp; else by a block of four
  bool single_pass = true;    ///< one unit and output in one pass over the rows; else two
  bool tiles = true;          ///< tiles of rows in shared memory; else rows from global memory
};

/// Opens the first GPU. Throws core::Error if there is none, no driver, or no CUDA in this build.
std::unique_ptr<backend::FitDevice> open(const EnabledPasses& enabled = {});

/// Bytes per second read and written by a large copy on the device.
double copy_bandwidth();

}  // namespace accrete::cuda
