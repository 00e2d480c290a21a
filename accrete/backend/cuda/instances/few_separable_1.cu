#include "accrete/backend/cuda/kernels-inl.cuh"

namespace accrete::cuda {

template Kernel kernel_for_units<Few, SeparableLosses, 1>(unsigned units);

}  // namespace accrete::cuda
