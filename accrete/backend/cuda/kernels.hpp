#pragma once
// Selects the kernel of a fit. Units per step and the maximum number of outputs are fixed at compile time, so that a
// row's values stay in registers; loss and activation are chosen at run time. Fits with more units or outputs, or with
// more features than fit into shared memory, use a general kernel, which keeps those values in global memory; steps of
// a single such fit are evaluated instead (device_evaluator.hpp).
//
// cmake/cuda.cmake lists the instances, one source file each, so that they compile in parallel.

#include <cstddef>

#include "accrete/backend/cuda/layout.hpp"

namespace accrete::cuda {

constexpr unsigned max_fixed_units = 4;
constexpr unsigned max_fixed_outputs = 12;

/// One of many fits runs on one warp if its step has at most this many rows and parameters, at most
/// max_register_outputs outputs and a fixed kernel; otherwise on a block of four warps. More warps do not pay: all wait
/// while one runs the solver. (A single fit uses all blocks.)
constexpr std::size_t max_warp_rows = 1'024, max_warp_parameters = 160;

struct Kernel {
  const void* function = nullptr;  ///< null: no such kernel
  unsigned threads = 0;            ///< of a block
  bool general = false;            ///< handles any number of units and outputs
};

// Losses of a kernel (dispatch.cuh), and the threads that run a fit: a warp, a block or all blocks.
struct SeparableLoss;
struct SoftmaxLoss;
struct AnyLoss;
template <class Losses, int J, int K>
struct WarpKernel;
template <class Losses, int J, int K>
struct BlockKernel;
template <class Losses, int J, int K>
struct GridKernel;

/// The kernel for `units` units per step and at most K outputs; K = 0: the general one.
template <template <class, int, int> class Kind, class Losses, int K>
Kernel kernel_for_units(unsigned units);

/// max_outputs: maximum outputs of this kind's softmax kernel, if above max_register_outputs.
template <template <class, int, int> class Kind, unsigned max_outputs>
Kernel find_fixed_kernel(bool softmax, unsigned units, unsigned outputs) {
  constexpr unsigned few = max_register_outputs;
  if constexpr (max_outputs > few)
    if (softmax && outputs > few && outputs <= max_outputs)
      return kernel_for_units<Kind, SoftmaxLoss, max_outputs>(units);
  if (outputs > few) return {};
  if (softmax) return kernel_for_units<Kind, SoftmaxLoss, few>(units);
  return outputs == 1 ? kernel_for_units<Kind, SeparableLoss, 1>(units)
                      : kernel_for_units<Kind, SeparableLoss, few>(units);
}

template <template <class, int, int> class Kind>
Kernel general_kernel() {
  return kernel_for_units<Kind, AnyLoss, 0>(0);
}

}  // namespace accrete::cuda
