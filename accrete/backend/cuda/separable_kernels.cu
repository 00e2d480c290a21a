#include "accrete/backend/cuda/kernels-inl.cuh"

namespace accrete::cuda {

const void* separable_kernel(unsigned units, unsigned outputs) {
  return separable_for<Many>(units, outputs);
}

}  // namespace accrete::cuda
