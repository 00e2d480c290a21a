#include "accrete/backend/cuda/kernels-inl.cuh"

namespace accrete::cuda {

const void* joint_kernel(unsigned units, unsigned outputs) {
  return joint_for<Many>(units, outputs);
}

}  // namespace accrete::cuda
