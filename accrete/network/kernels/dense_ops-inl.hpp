// Building blocks of the dense-layer kernels (network/kernels/dense-inl.hpp): their arguments, epilogues, prefetching,
// weight broadcasts and paired loads.

#if defined(ACCRETE_NETWORK_DENSE_OPS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_NETWORK_DENSE_OPS_INL_HPP
#undef ACCRETE_NETWORK_DENSE_OPS_INL_HPP
#else
#define ACCRETE_NETWORK_DENSE_OPS_INL_HPP
#endif

#include <cstddef>

#include "accrete/network/kernels/activate-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::network::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Epilogues are applied to a finished sum while it is still in its register. The epilogue of an output layer does
/// nothing.
struct NoActivation {
  HWY_ATTR HWY_INLINE FloatVector operator()(FloatVector z) const { return z; }
};
/// The epilogue of a hidden layer: its activation.
template <class Formula>
struct WithActivation {
  HWY_ATTR HWY_INLINE FloatVector operator()(FloatVector z) const { return activate(Formula{}, z); }
};

/// Stores four vectors of one output, consecutive in memory.
template <class Epilogue>
HWY_ATTR HWY_INLINE void store_four(FloatVector s0, FloatVector s1, FloatVector s2, FloatVector s3, float* out) {
  const Epilogue epilogue;
  const FloatTag d;
  const std::size_t n = hn::Lanes(d);
  hn::Store(epilogue(s0), d, out), hn::Store(epilogue(s1), d, out + n);
  hn::Store(epilogue(s2), d, out + 2 * n), hn::Store(epilogue(s3), d, out + 3 * n);
}

/// out[q * stride + r] = epilogue(bias[q] + sum_p weights[q * inputs + p] * in[p][r]). All distances are in floats.
struct DenseArgs {
  const float* const* in;  ///< one pointer per input, each to `rows` consecutive values, cache-line aligned
  std::size_t inputs;
  const float* weights;  ///< outputs x inputs
  const float* bias;     ///< outputs
  std::size_t rows;      ///< a multiple of line_floats
  std::size_t stride;    ///< between outputs
  float* out;
  std::size_t input_stride = 0;         ///< in[p + 1] - in[p] if it is the same for all p, else 0
  std::size_t prefetch_distance = 0;    ///< from an input to the data read next, prefetched per input; 0: off
  std::size_t sequential_distance = 0;  ///< from in[0] to the next tile, prefetched in address order; 0: off
  std::size_t next_tile_distance = 0;   ///< from an input to the same input of the next tile; 0: no next tile
  const float* packed = nullptr;        ///< packed_weights.hpp's copy of `weights` plus 2 floats; null: none
};

/// Arm: prefetch the next rows of every input. Its hardware prefetchers do not recognise a product's access pattern,
/// which jumps from input to input.
inline constexpr bool prefetches_rows = HWY_ARCH_ARM;

/// Distance from the `rows` rows at r to the rows after them: in the same tile, or the first of the next tile.
HWY_ATTR HWY_INLINE std::size_t distance_to_next_rows(const DenseArgs& c, std::size_t r, std::size_t rows) {
  return r + rows < c.rows || c.next_tile_distance == 0 ? rows : c.next_tile_distance - r;
}
template <bool prefetch>
HWY_ATTR HWY_INLINE void prefetch_rows(const float* x, std::size_t rows) {
  if constexpr (prefetch)
    for (std::size_t i = 0; i < rows; i += line_floats) __builtin_prefetch(x + i, 0, 3);
}

/// Arm: prefetch the next tile from DRAM in address order. Scattered requests are slower, and requests beyond the depth
/// of the memory queue are dropped, so they are spread over all phases of a tile: the products prefetch into the L2
/// cache, later phases into L1.
inline constexpr bool prefetches_sequentially = HWY_ARCH_ARM;

/// Spreads the prefetch of the next tile over the rows of this one: the rows at r are responsible for `inputs` floats
/// per row, from offset r * inputs on; this call issues [first, last) of them.
HWY_ATTR HWY_INLINE void prefetch_next_tile(const DenseArgs& c, std::size_t r, std::size_t first, std::size_t last) {
  const float* slice = c.in[0] + c.sequential_distance + r * c.inputs;
  for (std::size_t i = first; i < last; i += line_floats) __builtin_prefetch(slice + i, 0, 2);
}

// Register blocking: enough independent accumulators to hide the latency of a multiply-add. Blocks are outputs x
// vectors of rows: 1 x 8, 2 x 4, 4 x 4 with 32 vector registers, 4 x 2 with 16. Accumulators are separate variables
// because vectors of scalable targets (SVE) cannot be array elements.
//
// Every product needs a weight in all lanes. x86 broadcasts it from memory at the cost of a vector load; Arm loads four
// consecutive weights at once and multiplies by one of their lanes.

inline constexpr bool has_32_registers = HWY_ARCH_ARM || (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3);
inline constexpr bool multiplies_by_lane = HWY_ARCH_ARM;

/// The four weights at w for broadcast_weight and mul_add_weight; undefined on targets that load them one by one.
HWY_ATTR HWY_INLINE FloatVector load_four_weights(const float* w) {
  const FloatTag d;
  if constexpr (multiplies_by_lane)
    return hn::LoadDup128(d, w);
  else
    return hn::Undefined(d);
}
/// Weight i of those four in all lanes.
template <int i>
HWY_ATTR HWY_INLINE FloatVector broadcast_weight(FloatVector four, const float* w) {
  if constexpr (multiplies_by_lane)
    return hn::Broadcast<i>(four);
  else
    return hn::Set(FloatTag(), w[i]);
}

/// sum + w[i] * x; `four` is load_four_weights(w). NEON multiplies by a lane without a separate broadcast.
template <int i>
HWY_ATTR HWY_INLINE FloatVector mul_add_weight(FloatVector four, const float* w, FloatVector x, FloatVector sum) {
#if HWY_ARCH_ARM_A64 && HWY_TARGET == HWY_NEON
  (void)w;
  return FloatVector(vfmaq_laneq_f32(sum.raw, x.raw, four.raw, i));
#else
  return hn::MulAdd(broadcast_weight<i>(four, w), x, sum);
#endif
}

// Arm cores decode four instructions per cycle: two loads and two multiply-adds. One ldp loads two vectors and frees a
// slot. It is inline assembly so that the compiler cannot hoist all loads of a loop above its products.
#undef ACCRETE_HAS_LOAD_PAIR
#define ACCRETE_HAS_LOAD_PAIR (HWY_ARCH_ARM_A64 && HWY_TARGET == HWY_NEON && (HWY_COMPILER_GCC || HWY_COMPILER_CLANG))

/// a and b: vectors number `at` and `at` + 1 of the array x.
template <int at>
HWY_ATTR HWY_INLINE void load_pair(const float* x, FloatVector& a, FloatVector& b) {
#if ACCRETE_HAS_LOAD_PAIR
  asm("ldp %q0, %q1, [%2, %3]"
      : "=w"(a.raw), "=w"(b.raw)
      : "r"(x), "i"(16 * at), "m"(*reinterpret_cast<const float(*)[4 * at + 8]>(x)));
#else
  const FloatTag d;
  a = hn::Load(d, x + at * hn::Lanes(d)), b = hn::Load(d, x + (at + 1) * hn::Lanes(d));
#endif
}

}  // namespace accrete::network::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
