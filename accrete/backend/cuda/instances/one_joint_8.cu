#include "accrete/backend/cuda/kernels-inl.cuh"

namespace accrete::cuda {

template Kernel kernel_for_units<One, JointLoss, 8>(unsigned units);

}  // namespace accrete::cuda
