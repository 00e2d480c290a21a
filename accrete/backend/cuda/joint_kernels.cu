#include "accrete/backend/cuda/kernels-inl.cuh"

namespace accrete::cuda {

const void* joint_kernel(unsigned units, unsigned outputs) {
  if (outputs <= 4) return kernel_for_units<JointLoss, 4>(units);
  return outputs <= 12 ? kernel_for_units<JointLoss, 12>(units) : nullptr;
}

}  // namespace accrete::cuda
