#pragma once
// The stored columns of training rows in device memory, tile by tile as on the host. All rows of a fit are copied once,
// drawn rows for every step.

#include "accrete/backend/cuda/memory.hpp"
#include "accrete/data/features.hpp"

namespace accrete::cuda {

class DeviceColumns {
 public:
  /// Columns of x. all: the rows of the fit, which are kept until a call with other rows of a fit.
  const float* copy(const data::Features& x, bool all);

 private:
  const data::Features* resident_ = nullptr;  ///< whose columns are in all_
  DeviceArray<float> all_, drawn_;
};

}  // namespace accrete::cuda
