#pragma once
// Which kernel a fit runs on. Units of a step and the most outputs are fixed when a kernel is compiled, so that a row's
// numbers stay in registers; loss and activation are chosen while it runs. A file of instances/ has those of a kind, so
// that they are compiled side by side.

#include <cstddef>

namespace accrete::cuda {

constexpr unsigned most_units = 4;  ///< of a step

// A fit is one warp's up to so many drawn rows and parameters of a step, where there are more fits than this.
constexpr std::size_t most_rows_of_a_warp = 32'768, most_parameters_of_a_warp = 160, enough_fits_of_a_processor = 4;

struct Kernel {
  const void* function = nullptr;  ///< null: there is none
  unsigned threads = 0;            ///< of a block
};

/// What a kernel is of: one loss at a time of those with a formula per output, or softmax; fits of few rows, one to a
/// warp, fits of many rows, one to a block of four warps, or one fit.
struct SeparableLosses;
struct JointLoss;
template <class Losses, int J, int K>
struct Few;
template <class Losses, int J, int K>
struct Many;
template <class Losses, int J, int K>
struct One;

/// For so many units a step and at most K outputs.
template <template <class, int, int> class Kind, class Losses, int K>
Kernel kernel_for_units(unsigned units);

/// One output, a few targets, or some classes.
template <template <class, int, int> class Kind>
Kernel kernel_for(bool joint, unsigned units, unsigned outputs) {
  if (joint && outputs <= 4) return kernel_for_units<Kind, JointLoss, 4>(units);
  if (joint) return outputs <= 12 ? kernel_for_units<Kind, JointLoss, 12>(units) : Kernel{};
  if (outputs == 1) return kernel_for_units<Kind, SeparableLosses, 1>(units);
  return outputs <= 4 ? kernel_for_units<Kind, SeparableLosses, 4>(units) : Kernel{};
}

}  // namespace accrete::cuda
