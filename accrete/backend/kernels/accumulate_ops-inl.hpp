// Building blocks of the accumulate kernels (backend/kernels/accumulate-inl.hpp): their arguments, prefetching and
// register blocking.

#if defined(ACCRETE_BACKEND_ACCUMULATE_OPS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_BACKEND_ACCUMULATE_OPS_INL_HPP
#undef ACCRETE_BACKEND_ACCUMULATE_OPS_INL_HPP
#else
#define ACCRETE_BACKEND_ACCUMULATE_OPS_INL_HPP
#endif

#include <cstddef>

#include "accrete/backend/kernels/evaluate_kernel.hpp"
#include "accrete/network/kernels/dense_ops-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using network::HWY_NAMESPACE::FloatTag;
using network::HWY_NAMESPACE::FloatVector;

/// AVX-512: a vector fills a cache line (line_floats), there are 32 of them, and they can be array elements.
#undef ACCRETE_HAS_AVX512
#define ACCRETE_HAS_AVX512 (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3)
inline constexpr bool has_avx512 = ACCRETE_HAS_AVX512;

/// True if the kernel for this number of errors zeroes its accumulators on the first tile, so that the caller need not
/// clear the sums.
inline bool zeroes_accumulators(std::size_t errors) {
  return has_avx512 && errors != 2;
}

/// What is prefetched of the next tile while the current one is read.
enum class Prefetch {
  none,
  per_input,   ///< of each input, the rows at the same position as those being read
  sequential,  ///< cache lines in address order; the inputs must be contiguous
};

/// Prefetches `count` cache lines while the rows at r of `count` inputs are read; x0 is the first input. On x86 they go
/// to the L2 cache, since L1 does not hold two tiles.
template <Prefetch prefetch, std::size_t count>
HWY_ATTR HWY_INLINE void prefetch_lines(const float* const* in, const float* x0, std::size_t r, std::size_t distance) {
  constexpr int locality = HWY_ARCH_X86 ? 2 : 3;
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (prefetch == Prefetch::per_input) __builtin_prefetch(in[i] + r + distance, 0, locality);
    if constexpr (prefetch == Prefetch::sequential)
      __builtin_prefetch(x0 + r * count + i * line_floats + distance, 0, locality);
  }
}

/// sums[(p * errors + q) * lanes + lane] += in[p][r] * error[q * stride + r] for all inputs p, errors q and rows r,
/// where row r goes to one of the lanes. All distances are in floats.
struct AccumulateArgs {
  const float* const* in;
  std::size_t inputs;
  const float* error;
  std::size_t errors;
  std::size_t rows;
  std::size_t stride;
  float* sums;
  std::size_t prefetch_distance = 0;  ///< from an input to the data read next; 0: no prefetch
  bool contiguous = false;            ///< each input directly follows the previous one
  bool first_tile = false;            ///< start from zero instead of the sums, if zeroes_accumulators
  // AVX-512 only: more tiles are processed in the same call.
  std::size_t extra_tiles = 0;        ///< number of tiles after the first
  std::size_t last_tile_rows = 0;     ///< rows of the last extra tile
  std::size_t tile_input_stride = 0;  ///< from an input to the same input of the next tile
  std::size_t tile_error_stride = 0;  ///< the same for errors
};

/// Makes the compiler keep a loaded vector in its register. GCC would otherwise fold the load into every use, and loads
/// are the bottleneck of these loops.
template <class V>
HWY_ATTR HWY_INLINE V keep_in_register(V v) {
#if HWY_ARCH_X86 && HWY_COMPILER_GCC && !HWY_COMPILER_CLANG && HWY_TARGET != HWY_SCALAR
  asm("" : "+v"(v.raw));
#endif
  return v;
}

/// Number of lanes of an accumulator in `sums`. Accumulators are contiguous and not padded to a cache line, which
/// leaves more of the cache to the tile.
HWY_ATTR HWY_INLINE std::size_t accumulator_lanes() {
  return hn::Lanes(FloatTag());
}

/// Size of the next group when `left` items are split into as few groups of at most `max` as possible, of nearly equal
/// sizes.
inline std::size_t balanced_group(std::size_t left, std::size_t max) {
  const std::size_t groups = (left + max - 1) / max;
  return (left + groups - 1) / groups;
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
