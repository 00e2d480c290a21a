#pragma once
// One fit by all of the device: every block has a run of the rows, and the blocks meet after each evaluation, on the
// device itself. Rows and scores stay there from step to step; blocks of the network come back.

#include <memory>
#include <span>

#include "accrete/backend/cuda/launch.hpp"
#include "accrete/backend/many_fits.hpp"

namespace accrete::cuda {

/// The kernels of a fit: that of its units and outputs, where there is one, and the general one, for where there is not
/// or it has no room.
struct OneKernel {
  Kernel fixed, general;
};

/// Throws core::Error when the rows are too large for the device.
std::unique_ptr<backend::GrowingFit> begin_fit(const data::Dataset& rows, const boosting::Config& config,
                                               std::span<const double> start, const OneKernel& kernel,
                                               const Properties& device);

}  // namespace accrete::cuda
