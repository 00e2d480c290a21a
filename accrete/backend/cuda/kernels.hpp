#pragma once
// Which kernel a fit runs on. Units of a step and the most outputs are fixed when a kernel is compiled, so that a row's
// numbers stay in registers; loss and activation are chosen while it runs. What has more of either, or more features
// than shared memory has room for, is done by a general kernel, which keeps such numbers in memory. A file of
// instances/ has those of a kind, so that they are compiled side by side.

#include <cstddef>

#include "accrete/backend/cuda/layout.hpp"

namespace accrete::cuda {

constexpr unsigned most_units = 4;         ///< of a step, in kernels that are not general
constexpr unsigned most_outputs = 12;      ///< of classes, likewise
constexpr unsigned most_tile_outputs = 8;  ///< of a pass over tiles: their sums are in registers

/// Up to so much of a step a fit is one warp's work: then most of it is the solver's, and more warps would wait for the
/// one that solves. Beyond, a block of four goes through the rows, and fits are done sooner where there are few of
/// them.
constexpr std::size_t most_rows_of_a_warp = 1'024, most_parameters_of_a_warp = 160;

struct Kernel {
  const void* function = nullptr;  ///< null: there is none
  unsigned threads = 0;            ///< of a block
  bool general = false;            ///< for any number of units and outputs
};

/// What a kernel is of: one loss at a time of those with a formula per output, or softmax, or of all; fits that are a
/// warp's work each (Few, of rows), or a block's (Many), or all blocks' (One).
struct SeparableLosses;
struct JointLoss;
struct AnyLoss;
template <class Losses, int J, int K>
struct Few;
template <class Losses, int J, int K>
struct Many;
template <class Losses, int J, int K>
struct One;

/// For so many units a step and at most K outputs; of K = 0 the general one, whatever the units.
template <template <class, int, int> class Kind, class Losses, int K>
Kernel kernel_for_units(unsigned units);

/// One output, or a few targets or classes.
template <template <class, int, int> class Kind>
Kernel kernel_for_few(bool joint, unsigned units, unsigned outputs) {
  if (outputs > few_outputs) return {};
  if (joint) return kernel_for_units<Kind, JointLoss, few_outputs>(units);
  return outputs == 1 ? kernel_for_units<Kind, SeparableLosses, 1>(units)
                      : kernel_for_units<Kind, SeparableLosses, few_outputs>(units);
}

/// The same, or some more classes.
template <template <class, int, int> class Kind>
Kernel kernel_for(bool joint, unsigned units, unsigned outputs) {
  if (joint && outputs > few_outputs && outputs <= most_outputs)
    return kernel_for_units<Kind, JointLoss, most_outputs>(units);
  return kernel_for_few<Kind>(joint, units, outputs);
}

/// For a fit by all blocks, which goes through tiles where classes are not too many.
template <template <class, int, int> class Kind>
Kernel kernel_with_tiles(bool joint, unsigned units, unsigned outputs) {
  if (joint && outputs > few_outputs && outputs <= most_tile_outputs)
    return kernel_for_units<Kind, JointLoss, most_tile_outputs>(units);
  return kernel_for<Kind>(joint, units, outputs);
}

template <template <class, int, int> class Kind>
Kernel general_kernel() {
  return kernel_for_units<Kind, AnyLoss, 0>(0);
}

}  // namespace accrete::cuda
