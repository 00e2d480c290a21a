#include "accrete/backend/cuda/kernels-inl.cuh"
#include "accrete/loss/softmax.hpp"

namespace accrete::cuda {

const void* softmax_kernel(std::string_view activation, unsigned units, unsigned outputs) {
  return find_kernel<loss::Softmax, 4, 12>(activation, units, outputs);
}

}  // namespace accrete::cuda
