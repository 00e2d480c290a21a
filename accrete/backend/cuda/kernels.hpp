#pragma once
// Which kernel a fit runs on. Units of a step and the most outputs are fixed when a kernel is compiled, so that a row's
// numbers stay in registers.

#include <string_view>

namespace accrete::cuda {

constexpr unsigned most_units = 4;  ///< of a step
constexpr unsigned most_outputs = 12;

/// fit_all for these; null where there is none.
const void* kernel_of(std::string_view loss, std::string_view activation, unsigned units, unsigned outputs);

// One file each, for each takes a while to compile.
const void* squared_kernel(std::string_view activation, unsigned units, unsigned outputs);
const void* logistic_kernel(std::string_view activation, unsigned units, unsigned outputs);
const void* softmax_kernel(std::string_view activation, unsigned units, unsigned outputs);

}  // namespace accrete::cuda
