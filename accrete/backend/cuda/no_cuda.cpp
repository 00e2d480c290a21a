#include "accrete/backend/cuda/device.hpp"
#include "accrete/core/error.hpp"

namespace accrete::cuda {

std::unique_ptr<backend::FitDevice> open(const EnabledPasses&, std::size_t) {
  throw core::Error("this build of accrete has no CUDA; build with cmake -DACCRETE_CUDA=ON");
}

double copy_bandwidth() {
  return 0.0;
}

}  // namespace accrete::cuda
