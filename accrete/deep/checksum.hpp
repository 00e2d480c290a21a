#pragma once
// A sum over the bytes of tensors, by which a file or a data set is known again.

#include <torch/types.h>

#include <cstdint>

namespace accrete::deep {

/// `sum` goes on with this tensor's values; 0 begins.
std::uint32_t add_checksum(std::uint32_t sum, const torch::Tensor& tensor);

}  // namespace accrete::deep
