// Several inputs against several errors where vectors are longest and there are 32 registers: part of
// backend/accumulate-inl.hpp. Blocks have as many sums as there is room for, and run over the rows of several tiles:
// what a block's beginning and end take is then little beside its products.

#if defined(ACCRETE_BACKEND_BLOCKS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_BACKEND_BLOCKS_INL_HPP
#undef ACCRETE_BACKEND_BLOCKS_INL_HPP
#else
#define ACCRETE_BACKEND_BLOCKS_INL_HPP
#endif

#include <cstddef>

#include "accrete/backend/evaluate_kernel.hpp"
#include "accrete/backend/several-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

#if ACCRETE_LONG_VECTORS

namespace hn = hwy::HWY_NAMESPACE;

/// `count` inputs from p on with `errors` errors from q on.
template <Fetch fetch, std::size_t count, std::size_t errors>
HWY_ATTR HWY_NOINLINE void accumulate_block(const Accumulate& a, std::size_t p, std::size_t q) {
  const Lanes d;
  hn::Vec<Lanes> s[count][errors], e[errors];
  const float *x[count], *error = a.errors_at + q * a.stride;
  const std::size_t step = a.errors * lane_run, stride = a.stride, ahead = a.ahead;
  float* sums = a.sums + p * step + q * lane_run;
  const auto kept = hn::FirstN(d, a.first ? 0 : lane_run);
#pragma GCC unroll 8
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = a.in[p + i];
#pragma GCC unroll 4
    for (std::size_t k = 0; k < errors; ++k) s[i][k] = hn::MaskedLoad(kept, d, sums + i * step + k * lane_run);
  }
  for (std::size_t tile = 0; tile <= a.more; ++tile) {
    const std::size_t rows = tile > 0 && tile == a.more ? a.last_rows : a.rows;
    for (std::size_t r = 0; r < rows; r += lane_run) {
#pragma GCC unroll 4
      for (std::size_t k = 0; k < errors; ++k) e[k] = held(hn::Load(d, error + k * stride + r));
#pragma GCC unroll 8
      for (std::size_t i = 0; i < count; ++i) {
        if constexpr (fetch != Fetch::nothing) __builtin_prefetch(x[i] + r + ahead, 0, 2);
        const auto v = held(hn::Load(d, x[i] + r));
#pragma GCC unroll 4
        for (std::size_t k = 0; k < errors; ++k) s[i][k] = hn::MulAdd(v, e[k], s[i][k]);
      }
    }
    error += a.to_errors;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < count; ++i) x[i] += a.to_inputs;
  }
#pragma GCC unroll 8
  for (std::size_t i = 0; i < count; ++i)
#pragma GCC unroll 4
    for (std::size_t k = 0; k < errors; ++k) hn::Store(s[i][k], d, sums + i * step + k * lane_run);
}

/// So many inputs go together with four errors, or with fewer.
inline constexpr std::size_t with_four = 6, with_fewer = 8;

template <Fetch fetch, std::size_t errors>
HWY_ATTR inline void accumulate_block_of(const Accumulate& a, std::size_t p, std::size_t q, std::size_t count) {
  switch (count) {
    case 1:
      return accumulate_block<fetch, 1, errors>(a, p, q);
    case 2:
      return accumulate_block<fetch, 2, errors>(a, p, q);
    case 3:
      return accumulate_block<fetch, 3, errors>(a, p, q);
    case 4:
      return accumulate_block<fetch, 4, errors>(a, p, q);
    case 5:
      return accumulate_block<fetch, 5, errors>(a, p, q);
    case 6:
      return accumulate_block<fetch, 6, errors>(a, p, q);
    case 7:
      return accumulate_block < fetch, errors < 4 ? 7 : 1, errors > (a, p, q);
    default:
      return accumulate_block < fetch, errors < 4 ? 8 : 1, errors > (a, p, q);
  }
}

/// All inputs with so many errors from q on, four or fewer.
template <Fetch fetch, std::size_t errors>
HWY_ATTR inline void accumulate_with(const Accumulate& a, std::size_t q) {
  for (std::size_t p = 0, count; p < a.inputs; p += count) {
    count = next_group(a.inputs - p, errors == 4 ? with_four : with_fewer);
    accumulate_block_of<fetch, errors>(a, p, q, count);
  }
}

/// Inputs with all errors by four, then the next inputs; after that inputs with the errors left over. An input is
/// fetched ahead when it is first looked at.
template <Fetch fetch>
HWY_ATTR inline void accumulate_blocks(const Accumulate& a) {
  const std::size_t fours = a.errors / 4 * 4;
  for (std::size_t p = 0, count; fours > 0 && p < a.inputs; p += count) {
    count = next_group(a.inputs - p, with_four);
    accumulate_block_of<fetch, 4>(a, p, 0, count);
    for (std::size_t q = 4; q < fours; q += 4) accumulate_block_of<Fetch::nothing, 4>(a, p, q, count);
  }
  if (a.errors == 3) return accumulate_with<fetch, 3>(a, 0);
  if (a.errors - fours == 3) accumulate_with<Fetch::nothing, 3>(a, fours);
  if (a.errors - fours == 2) accumulate_with<Fetch::nothing, 2>(a, fours);
  if (a.errors - fours == 1) accumulate_with<Fetch::nothing, 1>(a, fours);
}

#endif

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
