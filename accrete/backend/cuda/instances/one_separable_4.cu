#include "accrete/backend/cuda/kernels-inl.cuh"

namespace accrete::cuda {

template Kernel kernel_for_units<One, SeparableLosses, 4>(unsigned units);

}  // namespace accrete::cuda
