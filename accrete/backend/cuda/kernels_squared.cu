#include "accrete/backend/cuda/kernels-inl.cuh"
#include "accrete/loss/squared.hpp"

namespace accrete::cuda {

const void* squared_kernel(std::string_view activation, unsigned units, unsigned outputs) {
  return find_kernel<loss::Squared, 1, 4>(activation, units, outputs);
}

}  // namespace accrete::cuda
