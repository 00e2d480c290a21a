#pragma once
// The kernels of one kind of loss.

#include "accrete/backend/cuda/fit_kernel.cuh"
#include "accrete/backend/cuda/kernels.hpp"

namespace accrete::cuda {

template <class Losses, int J, int K>
struct Many {
  static const void* kernel() { return reinterpret_cast<const void*>(&fit_all<Losses, J, K>); }
};

template <class Losses, int J, int K>
struct One {
  static const void* kernel() { return reinterpret_cast<const void*>(&fit_one<Losses, J, K>); }
};

template <template <class, int, int> class Kind, class Losses, int K>
const void* kernel_for_units(unsigned units) {
  static_assert(most_units == 4);
  switch (units) {
    case 1:
      return Kind<Losses, 1, K>::kernel();
    case 2:
      return Kind<Losses, 2, K>::kernel();
    case 3:
      return Kind<Losses, 3, K>::kernel();
    case 4:
      return Kind<Losses, 4, K>::kernel();
    default:
      return nullptr;
  }
}

}  // namespace accrete::cuda
