// AVX-512 kernel for a single error; part of backend/kernels/accumulate-inl.hpp. The error of up to 16 vectors of rows
// stays in registers while all inputs are read, so a multiply-add loads only its input, and short loops over few rows
// are fully unrolled.

#if defined(ACCRETE_BACKEND_ACCUMULATE_SINGLE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_BACKEND_ACCUMULATE_SINGLE_INL_HPP
#undef ACCRETE_BACKEND_ACCUMULATE_SINGLE_INL_HPP
#else
#define ACCRETE_BACKEND_ACCUMULATE_SINGLE_INL_HPP
#endif

#include <cstddef>

#include "accrete/backend/kernels/accumulate_ops-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

#if ACCRETE_HAS_AVX512

namespace hn = hwy::HWY_NAMESPACE;

/// Inputs p .. p + count - 1 over `vectors` vectors of rows at r; e holds their errors. Rows are added in order.
template <Prefetch prefetch, std::size_t count, std::size_t vectors>
HWY_ATTR HWY_INLINE void accumulate_inputs_in_registers(const AccumulateArgs& a, const hn::Vec<FloatTag> (&e)[vectors],
                                                        std::size_t p, std::size_t r) {
  const FloatTag d;
  const float* x[count];
  hn::Vec<FloatTag> s[count];
  float* sums = a.sums + p * line_floats;
  const auto loaded = hn::FirstN(d, a.first_tile && r == 0 ? 0 : line_floats);  // 0 lanes load zeros
#pragma GCC unroll 8
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = (a.contiguous ? a.in[p] + i * a.stride : a.in[p + i]) + r;
    s[i] = hn::MaskedLoad(loaded, d, sums + i * line_floats);
  }
#pragma GCC unroll 16
  for (std::size_t v = 0; v < vectors; ++v)
#pragma GCC unroll 8
    for (std::size_t i = 0; i < count; ++i) {
      if constexpr (prefetch != Prefetch::none) __builtin_prefetch(x[i] + v * line_floats + a.prefetch_distance, 0, 2);
      s[i] = hn::MulAdd(hn::Load(d, x[i] + v * line_floats), e[v], s[i]);
    }
#pragma GCC unroll 8
  for (std::size_t i = 0; i < count; ++i) hn::Store(s[i], d, sums + i * line_floats);
}

/// All inputs over `vectors` vectors of rows at r.
template <Prefetch prefetch, std::size_t vectors>
HWY_ATTR HWY_NOINLINE void accumulate_single_error(const AccumulateArgs& a, std::size_t r) {
  const FloatTag d;
  hn::Vec<FloatTag> e[vectors];
#pragma GCC unroll 16
  for (std::size_t v = 0; v < vectors; ++v) e[v] = hn::Load(d, a.error + r + v * line_floats);
  std::size_t p = 0;
  for (; p + 8 <= a.inputs; p += 8) accumulate_inputs_in_registers<prefetch, 8>(a, e, p, r);
  if (p + 4 <= a.inputs) accumulate_inputs_in_registers<prefetch, 4>(a, e, p, r), p += 4;
  for (; p < a.inputs; ++p) accumulate_inputs_in_registers<prefetch, 1>(a, e, p, r);
}

/// All inputs over all rows.
template <Prefetch prefetch>
HWY_ATTR inline void accumulate_single_error(const AccumulateArgs& a) {
  std::size_t r = 0;
  for (; r + 16 * line_floats <= a.rows; r += 16 * line_floats) accumulate_single_error<prefetch, 16>(a, r);
  for (; r + 8 * line_floats <= a.rows; r += 8 * line_floats) accumulate_single_error<prefetch, 8>(a, r);
  for (; r + 4 * line_floats <= a.rows; r += 4 * line_floats) accumulate_single_error<prefetch, 4>(a, r);
  for (; r < a.rows; r += line_floats) accumulate_single_error<prefetch, 1>(a, r);
}

#endif

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
