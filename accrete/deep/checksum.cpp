#include "accrete/deep/checksum.hpp"

#include <zlib.h>

namespace accrete::deep {

std::uint32_t add_checksum(std::uint32_t sum, const torch::Tensor& tensor) {
  const torch::Tensor values = tensor.detach().cpu().contiguous();
  return static_cast<std::uint32_t>(
      crc32_z(sum, static_cast<const Bytef*>(values.data_ptr()), static_cast<std::size_t>(values.nbytes())));
}

}  // namespace accrete::deep
