#include "accrete/backend/cuda/kernels-inl.cuh"

namespace accrete::cuda {

const void* separable_kernel(unsigned units, unsigned outputs) {
  return outputs == 1 ? kernel_for_units<SeparableLosses, 1>(units) : nullptr;
}

}  // namespace accrete::cuda
