#include "accrete/backend/cuda/device.hpp"
#include "accrete/core/error.hpp"

namespace accrete::cuda {

std::unique_ptr<backend::ManyFits> open() {
  throw core::Error("this build of accrete has no CUDA; cmake -DACCRETE_CUDA=ON makes one that has");
}

}  // namespace accrete::cuda
