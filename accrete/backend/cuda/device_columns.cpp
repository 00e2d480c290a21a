#include "accrete/backend/cuda/device_columns.hpp"

namespace accrete::cuda {

const float* DeviceColumns::copy(const data::Features& x, bool all) {
  DeviceArray<float>& to = all ? all_ : drawn_;
  if (all && resident_ == &x) return to.data();
  const std::size_t size = x.tiles() * x.stored().cols() * x.tile_rows();
  to.reserve(size);
  if (size > 0) to.write({x.stored().tile(0), size});
  if (all) resident_ = &x;
  return to.data();
}

}  // namespace accrete::cuda
