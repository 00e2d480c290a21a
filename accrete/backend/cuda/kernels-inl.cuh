#pragma once
// The kernels of one kind of loss.

#include "accrete/backend/cuda/fit_kernel.cuh"
#include "accrete/backend/cuda/kernels.hpp"

namespace accrete::cuda {

template <class Losses, int K>
const void* kernel_for_units(unsigned units) {
  static_assert(most_units == 4);
  switch (units) {
    case 1:
      return reinterpret_cast<const void*>(&fit_all<Losses, 1, K>);
    case 2:
      return reinterpret_cast<const void*>(&fit_all<Losses, 2, K>);
    case 3:
      return reinterpret_cast<const void*>(&fit_all<Losses, 3, K>);
    case 4:
      return reinterpret_cast<const void*>(&fit_all<Losses, 4, K>);
    default:
      return nullptr;
  }
}

}  // namespace accrete::cuda
