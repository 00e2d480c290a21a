#include "accrete/backend/cuda/kernels-inl.cuh"

namespace accrete::cuda {

template Kernel kernel_for_units<One, AnyLoss, 0>(unsigned units);

}  // namespace accrete::cuda
