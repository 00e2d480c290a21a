#include "accrete/backend/cuda/kernels-inl.cuh"

namespace accrete::cuda {

const void* joint_grid_kernel(unsigned units, unsigned outputs) {
  return joint_for<One>(units, outputs);
}

}  // namespace accrete::cuda
