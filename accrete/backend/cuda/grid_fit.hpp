#pragma once
// One fit on the whole device: every block has a range of the rows, and blocks add their sums on the device after each
// evaluation. Rows and scores stay resident; steps are returned as blocks of a network.

#include <memory>
#include <span>

#include "accrete/backend/cuda/launch.hpp"
#include "accrete/backend/fit_device.hpp"

namespace accrete::cuda {

/// Kernels for one fit on all blocks. `fixed` has its units and maximum outputs fixed at compile time; `general` is
/// used if `fixed` does not exist or needs too much shared memory.
struct GridKernels {
  Kernel fixed, general;
  bool tiles =
      true;  ///< allow tiles of rows in shared memory; used for direct steps on all rows and features, if they fit
};

/// Throws core::Error if the rows are too large for the device.
std::unique_ptr<backend::DeviceFit> begin_grid_fit(const data::Dataset& rows, const config::ResolvedConfig& config,
                                                   std::span<const double> start, const GridKernels& kernels,
                                                   const GpuProperties& gpu);

}  // namespace accrete::cuda
