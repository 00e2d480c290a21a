#include "accrete/deep/checksum.hpp"

#include <zlib.h>

namespace accrete::deep {

std::uint32_t add_checksum(std::uint32_t sum, const torch::Tensor& tensor) {
  const torch::Tensor values = tensor.detach().cpu().contiguous();
  return static_cast<std::uint32_t>(
      crc32_z(sum, static_cast<const Bytef*>(values.data_ptr()), static_cast<std::size_t>(values.nbytes())));
}

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace accrete::deep
