#pragma once
// One fit on the whole device: every block has a range of the rows, and blocks add their sums on the device after each
// evaluation. Rows and scores stay resident; steps are returned as blocks of a network.

#include <memory>
#include <span>

#include "accrete/backend/cuda/launch.hpp"
#include "accrete/backend/fit_device.hpp"

namespace accrete::cuda {

/// The kernel of one fit on all blocks, with units and maximum outputs fixed at compile time.
struct GridKernelChoice {
  Kernel kernel;
  bool tiles;  ///< allow tiles of rows in shared memory, for direct steps on all rows and features if they fit
};

/// True if the vectors of a step on a table with that number of features fit into the shared memory of a block.
bool fits_grid(const config::ResolvedConfig& config, std::size_t features, std::size_t outputs, const Kernel& kernel,
               const GpuProperties& gpu);

/// The fit must fit. Throws core::Error if the rows are too large for the device.
std::unique_ptr<backend::DeviceFit> begin_grid_fit(const data::Dataset& rows, const config::ResolvedConfig& config,
                                                   std::span<const double> start, const GridKernelChoice& choice,
                                                   const GpuProperties& gpu);

}  // namespace accrete::cuda
