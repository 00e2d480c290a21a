#pragma once
// Which kernel a fit runs on. Units of a step and the most outputs are fixed when a kernel is compiled, so that a row's
// numbers stay in registers; loss and activation are chosen while it runs.

namespace accrete::cuda {

constexpr unsigned most_units = 4;  ///< of a step

/// fit_all, for many fits, of so many units a step and outputs; null where there is none.
const void* separable_kernel(unsigned units, unsigned outputs);
const void* joint_kernel(unsigned units, unsigned outputs);  ///< for softmax

/// fit_one, for a single fit.
const void* separable_grid_kernel(unsigned units, unsigned outputs);
const void* joint_grid_kernel(unsigned units, unsigned outputs);

}  // namespace accrete::cuda
