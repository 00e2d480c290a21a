#include "accrete/backend/cuda/kernels-inl.cuh"

namespace accrete::cuda {

const void* separable_grid_kernel(unsigned units, unsigned outputs) {
  return separable_for<One>(units, outputs);
}

}  // namespace accrete::cuda
