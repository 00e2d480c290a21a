#include "accrete/backend/cuda/device.hpp"
#include "accrete/core/error.hpp"

namespace accrete::cuda {

std::unique_ptr<backend::ManyFits> open() {
  throw core::Error("this build of accrete has no CUDA; cmake -DACCRETE_CUDA=ON makes one that has");
}

double copy_bandwidth() {
  return 0.0;
}

}  // namespace accrete::cuda
