// AVX-512 kernels for three or more errors; part of backend/kernels/accumulate-inl.hpp. A register block of inputs x
// errors accumulators runs over the rows of several tiles, which amortises loading and storing the accumulators.

#if defined(ACCRETE_BACKEND_ACCUMULATE_BLOCK_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_BACKEND_ACCUMULATE_BLOCK_INL_HPP
#undef ACCRETE_BACKEND_ACCUMULATE_BLOCK_INL_HPP
#else
#define ACCRETE_BACKEND_ACCUMULATE_BLOCK_INL_HPP
#endif

#include <cstddef>

#include "accrete/backend/kernels/accumulate_ops-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

#if ACCRETE_HAS_AVX512

namespace hn = hwy::HWY_NAMESPACE;

/// Adds the products of inputs p .. p + count - 1 and errors q .. q + errors - 1 to a.sums, lane by lane, over the rows
/// of all tiles of this call. The sums stay in registers across the tiles.
template <Prefetch prefetch, std::size_t count, std::size_t errors>
HWY_ATTR HWY_NOINLINE void accumulate_fixed_block(const AccumulateArgs& a, std::size_t p, std::size_t q) {
  const FloatTag d;
  hn::Vec<FloatTag> s[count][errors], e[errors];
  const float *x[count], *error = a.error + q * a.stride;
  const std::size_t step = a.errors * line_floats, stride = a.stride, prefetch_distance = a.prefetch_distance;
  float* sums = a.sums + p * step + q * line_floats;
  const auto loaded = hn::FirstN(d, a.first_tile ? 0 : line_floats);  // 0 lanes load zeros
#pragma GCC unroll 8
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = a.in[p + i];
#pragma GCC unroll 4
    for (std::size_t k = 0; k < errors; ++k) s[i][k] = hn::MaskedLoad(loaded, d, sums + i * step + k * line_floats);
  }
  for (std::size_t tile = 0; tile <= a.extra_tiles; ++tile) {
    const std::size_t rows = tile > 0 && tile == a.extra_tiles ? a.last_tile_rows : a.rows;
    for (std::size_t r = 0; r < rows; r += line_floats) {
#pragma GCC unroll 4
      for (std::size_t k = 0; k < errors; ++k) e[k] = keep_in_register(hn::Load(d, error + k * stride + r));
#pragma GCC unroll 8
      for (std::size_t i = 0; i < count; ++i) {
        if constexpr (prefetch != Prefetch::none) __builtin_prefetch(x[i] + r + prefetch_distance, 0, 2);
        const auto v = keep_in_register(hn::Load(d, x[i] + r));
#pragma GCC unroll 4
        for (std::size_t k = 0; k < errors; ++k) s[i][k] = hn::MulAdd(v, e[k], s[i][k]);
      }
    }
    error += a.tile_error_stride;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < count; ++i) x[i] += a.tile_input_stride;
  }
#pragma GCC unroll 8
  for (std::size_t i = 0; i < count; ++i)
#pragma GCC unroll 4
    for (std::size_t k = 0; k < errors; ++k) hn::Store(s[i][k], d, sums + i * step + k * line_floats);
}

/// Inputs per block with four errors, and with fewer: limited by 32 registers.
inline constexpr std::size_t max_inputs_with_four = 6, max_inputs_with_fewer = 8;

/// accumulate_fixed_block for a number of inputs known only at run time.
template <Prefetch prefetch, std::size_t errors>
HWY_ATTR inline void accumulate_block(const AccumulateArgs& a, std::size_t p, std::size_t q, std::size_t count) {
  constexpr std::size_t seven = errors < 4 ? 7 : 1, eight = errors < 4 ? 8 : 1;  // with four errors, at most six inputs
  switch (count) {
    case 1:
      return accumulate_fixed_block<prefetch, 1, errors>(a, p, q);
    case 2:
      return accumulate_fixed_block<prefetch, 2, errors>(a, p, q);
    case 3:
      return accumulate_fixed_block<prefetch, 3, errors>(a, p, q);
    case 4:
      return accumulate_fixed_block<prefetch, 4, errors>(a, p, q);
    case 5:
      return accumulate_fixed_block<prefetch, 5, errors>(a, p, q);
    case 6:
      return accumulate_fixed_block<prefetch, 6, errors>(a, p, q);
    case 7:
      return accumulate_fixed_block<prefetch, seven, errors>(a, p, q);
    default:
      return accumulate_fixed_block<prefetch, eight, errors>(a, p, q);
  }
}

/// All inputs with errors q .. q + errors - 1; at most four.
template <Prefetch prefetch, std::size_t errors>
HWY_ATTR inline void accumulate_error_group(const AccumulateArgs& a, std::size_t q) {
  for (std::size_t p = 0, count; p < a.inputs; p += count) {
    count = balanced_group(a.inputs - p, errors == 4 ? max_inputs_with_four : max_inputs_with_fewer);
    accumulate_block<prefetch, errors>(a, p, q, count);
  }
}

/// All inputs with all errors: each group of inputs with groups of four errors, then all inputs with the remaining
/// errors. The next tile of an input is prefetched when the input is first read.
template <Prefetch prefetch>
HWY_ATTR inline void accumulate_blocks(const AccumulateArgs& a) {
  const std::size_t fours = a.errors / 4 * 4;
  for (std::size_t p = 0, count; fours > 0 && p < a.inputs; p += count) {
    count = balanced_group(a.inputs - p, max_inputs_with_four);
    accumulate_block<prefetch, 4>(a, p, 0, count);
    for (std::size_t q = 4; q < fours; q += 4) accumulate_block<Prefetch::none, 4>(a, p, q, count);
  }
  if (a.errors == 3) return accumulate_error_group<prefetch, 3>(a, 0);
  if (a.errors - fours == 3) accumulate_error_group<Prefetch::none, 3>(a, fours);
  if (a.errors - fours == 2) accumulate_error_group<Prefetch::none, 2>(a, fours);
  if (a.errors - fours == 1) accumulate_error_group<Prefetch::none, 1>(a, fours);
}

#endif

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
