#include "accrete/backend/cuda/kernels-inl.cuh"
#include "accrete/loss/logistic.hpp"

namespace accrete::cuda {

const void* logistic_kernel(std::string_view activation, unsigned units, unsigned outputs) {
  return find_kernel<loss::Logistic, 1>(activation, units, outputs);
}

}  // namespace accrete::cuda
