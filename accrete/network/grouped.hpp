#pragma once
// A dense layer's weights a second time, for products that take several outputs together: outputs by four, then by two,
// then alone, and of each group input after input. A group that begins with output q begins at weight q * inputs.

#include <cstddef>

namespace accrete::network {

/// Whether such products are there: Arm multiplies by a lane of neighbouring weights (network/grouped-inl.hpp), x86
/// loads one number into all lanes from wherever it is.
#if defined(__aarch64__)
inline constexpr bool groups_weights = true;
#else
inline constexpr bool groups_weights = false;
#endif

/// weights: outputs x inputs; grouped: as many.
inline void group_weights(const float* weights, std::size_t inputs, std::size_t outputs, float* grouped) {
  for (std::size_t q = 0, count; q < outputs; q += count) {
    count = q + 4 <= outputs ? 4 : q + 2 <= outputs ? 2 : 1;
    for (std::size_t p = 0; p < inputs; ++p)
      for (std::size_t i = q; i < q + count; ++i) *grouped++ = weights[i * inputs + p];
  }
}

}  // namespace accrete::network
