// One error against all inputs where vectors are longest and there are 32 registers: part of
// backend/accumulate-inl.hpp. The error of up to sixteen vectors of rows stays in registers while inputs come and go,
// so a vector of an input is all that a multiply-add loads, and nothing waits for the end of a loop over few rows.

#if defined(ACCRETE_BACKEND_HELD_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_BACKEND_HELD_INL_HPP
#undef ACCRETE_BACKEND_HELD_INL_HPP
#else
#define ACCRETE_BACKEND_HELD_INL_HPP
#endif

#include <cstddef>

#include "accrete/backend/evaluate_kernel.hpp"
#include "accrete/backend/several-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

#if ACCRETE_LONG_VECTORS

namespace hn = hwy::HWY_NAMESPACE;

/// `count` inputs from p on over `vectors` vectors from row r on, whose errors are e. Rows are added in their order.
template <Fetch fetch, std::size_t count, std::size_t vectors>
HWY_ATTR HWY_INLINE void accumulate_held(const Accumulate& a, const hn::Vec<Lanes> (&e)[vectors], std::size_t p,
                                         std::size_t r) {
  const Lanes d;
  const float* x[count];
  hn::Vec<Lanes> s[count];
  float* sums = a.sums + p * lane_run;
  const auto kept = hn::FirstN(d, a.first && r == 0 ? 0 : lane_run);
#pragma GCC unroll 8
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = (a.neighbours ? a.in[p] + i * a.stride : a.in[p + i]) + r;
    s[i] = hn::MaskedLoad(kept, d, sums + i * lane_run);
  }
#pragma GCC unroll 16
  for (std::size_t v = 0; v < vectors; ++v)
#pragma GCC unroll 8
    for (std::size_t i = 0; i < count; ++i) {
      if constexpr (fetch != Fetch::nothing) __builtin_prefetch(x[i] + v * lane_run + a.ahead, 0, 2);
      s[i] = hn::MulAdd(hn::Load(d, x[i] + v * lane_run), e[v], s[i]);
    }
#pragma GCC unroll 8
  for (std::size_t i = 0; i < count; ++i) hn::Store(s[i], d, sums + i * lane_run);
}

/// All inputs over `vectors` vectors from row r on.
template <Fetch fetch, std::size_t vectors>
HWY_ATTR HWY_NOINLINE void accumulate_holding(const Accumulate& a, std::size_t r) {
  const Lanes d;
  hn::Vec<Lanes> e[vectors];
#pragma GCC unroll 16
  for (std::size_t v = 0; v < vectors; ++v) e[v] = hn::Load(d, a.errors_at + r + v * lane_run);
  std::size_t p = 0;
  for (; p + 8 <= a.inputs; p += 8) accumulate_held<fetch, 8>(a, e, p, r);
  if (p + 4 <= a.inputs) accumulate_held<fetch, 4>(a, e, p, r), p += 4;
  for (; p < a.inputs; ++p) accumulate_held<fetch, 1>(a, e, p, r);
}

template <Fetch fetch>
HWY_ATTR inline void accumulate_holding(const Accumulate& a) {
  std::size_t r = 0;
  for (; r + 16 * lane_run <= a.rows; r += 16 * lane_run) accumulate_holding<fetch, 16>(a, r);
  for (; r + 8 * lane_run <= a.rows; r += 8 * lane_run) accumulate_holding<fetch, 8>(a, r);
  for (; r + 4 * lane_run <= a.rows; r += 4 * lane_run) accumulate_holding<fetch, 4>(a, r);
  for (; r < a.rows; r += lane_run) accumulate_holding<fetch, 1>(a, r);
}

#endif

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
