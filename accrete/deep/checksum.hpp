#pragma once
// A checksum over the bytes of tensors, which identifies a file or a data set.

#include <torch/types.h>

#include <cstdint>
#include <string_view>

namespace accrete::deep {

/// Adds the tensor's values to `sum`; start with 0.
std::uint32_t add_checksum(std::uint32_t sum, const torch::Tensor& tensor);

std::uint32_t checksum(std::string_view bytes);

}  // namespace accrete::deep
