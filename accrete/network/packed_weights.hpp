#pragma once
// Packed weights of a dense layer: outputs are in groups of four, then two, then one; within a group, the weights of
// one input for all outputs are adjacent. The group that starts with output q starts at packed[q * inputs].

#include <cstddef>

namespace accrete::network {

/// True if this architecture has kernels for packed weights (network/kernels/dense_packed-inl.hpp). Arm multiplies by a
/// lane of adjacent weights; x86 broadcasts a weight from any address, so packing would not help.
#if defined(__aarch64__)
inline constexpr bool has_packed_kernels = true;
#else
inline constexpr bool has_packed_kernels = false;
#endif

/// weights: outputs x inputs, row-major; packed: the same number of floats.
inline void pack_weights(const float* weights, std::size_t inputs, std::size_t outputs, float* packed) {
  for (std::size_t q = 0, count; q < outputs; q += count) {
    count = q + 4 <= outputs ? 4 : q + 2 <= outputs ? 2 : 1;
    for (std::size_t p = 0; p < inputs; ++p)
      for (std::size_t i = q; i < q + count; ++i) *packed++ = weights[i * inputs + p];
  }
}

}  // namespace accrete::network
