// The backward half of a dense layer over one tile of rows, once per instruction set:
//
//   accumulate   sums[p, q] += sum_r in_p[r] * error_q[r]
//
// One partial sum is kept per vector lane; join_lanes adds them up in double.

#if defined(ACCRETE_BACKEND_ACCUMULATE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_BACKEND_ACCUMULATE_INL_HPP
#undef ACCRETE_BACKEND_ACCUMULATE_INL_HPP
#else
#define ACCRETE_BACKEND_ACCUMULATE_INL_HPP
#endif

#include <cstddef>

#include "accrete/backend/evaluate_kernel.hpp"
#include "accrete/network/dense-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, lane_run>;
using network::HWY_NAMESPACE::many_registers;

/// sums[(p * errors + q) * lane_run + lane], for all inputs p and errors q; error_q = errors_at + q * stride.
struct Accumulate {
  const float* const* in;
  std::size_t inputs;
  const float* errors_at;
  std::size_t errors;
  std::size_t rows;
  std::size_t stride;
  float* sums;
  std::size_t ahead = 0;  ///< so many floats after an input lies what is read next, to be fetched meanwhile; 0: do not
};

/// What is read next lies a tile away from what is read now, one line of the cache after the other.
template <bool fetch>
HWY_ATTR HWY_INLINE void fetch_ahead(const float* x) {
  if constexpr (fetch) __builtin_prefetch(x, 0, 3);
}

/// A loaded vector that stays in its register: the compiler would rather load it again for every use, and loads are
/// what these loops have fewest to spare of.
template <class V>
HWY_ATTR HWY_INLINE V held(V v) {
#if HWY_ARCH_X86 && HWY_COMPILER_GCC && !HWY_COMPILER_CLANG && HWY_TARGET != HWY_SCALAR
  asm("" : "+v"(v.raw));
#endif
  return v;
}

/// An address that stands in its register, so that the loads of a line are at fixed distances from it: Arm loads from
/// the sum of two registers more slowly, which is what the compiler would rather write.
HWY_ATTR HWY_INLINE const float* placed(const float* x) {
#if HWY_ARCH_ARM_A64 && (HWY_COMPILER_GCC || HWY_COMPILER_CLANG)
  asm("" : "+r"(x));
#endif
  return x;
}

// Rows go by a line of the cache, lane_run floats, and within it by vectors.

template <bool fetch>
HWY_ATTR inline void accumulate_one(const Accumulate& a, std::size_t p, std::size_t q) {
  const Lanes d;
  const std::size_t n = hn::Lanes(d);
  const float* e = a.errors_at + q * a.stride;
  const float* x = a.in[p];
  float* sum = a.sums + (p * a.errors + q) * lane_run;
  auto s0 = hn::Load(d, sum), s1 = hn::Zero(d);
  std::size_t r = 0;
  for (; r + 2 * n <= a.rows; r += 2 * n) {
    fetch_ahead<fetch>(x + r + a.ahead);
    s0 = hn::MulAdd(hn::Load(d, x + r), hn::Load(d, e + r), s0);
    s1 = hn::MulAdd(hn::Load(d, x + r + n), hn::Load(d, e + r + n), s1);
  }
  for (; r < a.rows; r += n) s0 = hn::MulAdd(hn::Load(d, x + r), hn::Load(d, e + r), s0);
  hn::Store(hn::Add(s0, s1), d, sum);
}

template <bool fetch>
HWY_ATTR inline void accumulate_four_by_two(const Accumulate& a, std::size_t p, std::size_t q) {
  const Lanes d;
  const float* e0 = a.errors_at + q * a.stride;
  const float* e1 = e0 + a.stride;
  const float *x0 = a.in[p], *x1 = a.in[p + 1], *x2 = a.in[p + 2], *x3 = a.in[p + 3];
  float* sum0 = a.sums + (p * a.errors + q) * lane_run;
  float* sum1 = sum0 + a.errors * lane_run;
  float* sum2 = sum1 + a.errors * lane_run;
  float* sum3 = sum2 + a.errors * lane_run;
  auto s00 = hn::Load(d, sum0), s01 = hn::Load(d, sum0 + lane_run);
  auto s10 = hn::Load(d, sum1), s11 = hn::Load(d, sum1 + lane_run);
  auto s20 = hn::Load(d, sum2), s21 = hn::Load(d, sum2 + lane_run);
  auto s30 = hn::Load(d, sum3), s31 = hn::Load(d, sum3 + lane_run);
  for (std::size_t line = 0; line < a.rows; line += lane_run) {
    fetch_ahead<fetch>(x0 + line + a.ahead), fetch_ahead<fetch>(x1 + line + a.ahead);
    fetch_ahead<fetch>(x2 + line + a.ahead), fetch_ahead<fetch>(x3 + line + a.ahead);
    for (std::size_t r = line; r < line + lane_run; r += hn::Lanes(d)) {
      const auto u0 = hn::Load(d, e0 + r), u1 = hn::Load(d, e1 + r);
      const auto v0 = held(hn::Load(d, x0 + r)), v1 = held(hn::Load(d, x1 + r));
      const auto v2 = held(hn::Load(d, x2 + r)), v3 = held(hn::Load(d, x3 + r));
      s00 = hn::MulAdd(v0, u0, s00), s01 = hn::MulAdd(v0, u1, s01);
      s10 = hn::MulAdd(v1, u0, s10), s11 = hn::MulAdd(v1, u1, s11);
      s20 = hn::MulAdd(v2, u0, s20), s21 = hn::MulAdd(v2, u1, s21);
      s30 = hn::MulAdd(v3, u0, s30), s31 = hn::MulAdd(v3, u1, s31);
    }
  }
  hn::Store(s00, d, sum0), hn::Store(s01, d, sum0 + lane_run);
  hn::Store(s10, d, sum1), hn::Store(s11, d, sum1 + lane_run);
  hn::Store(s20, d, sum2), hn::Store(s21, d, sum2 + lane_run);
  hn::Store(s30, d, sum3), hn::Store(s31, d, sum3 + lane_run);
}

/// Where there are 32 registers.
template <bool fetch>
HWY_ATTR inline void accumulate_four_by_four(const Accumulate& a, std::size_t p, std::size_t q) {
  const Lanes d;
  const float* e0 = a.errors_at + q * a.stride;
  const float *e1 = e0 + a.stride, *e2 = e1 + a.stride, *e3 = e2 + a.stride;
  const float *x0 = a.in[p], *x1 = a.in[p + 1], *x2 = a.in[p + 2], *x3 = a.in[p + 3];
  float* sum0 = a.sums + (p * a.errors + q) * lane_run;
  float* sum1 = sum0 + a.errors * lane_run;
  float* sum2 = sum1 + a.errors * lane_run;
  float* sum3 = sum2 + a.errors * lane_run;
  constexpr std::size_t n1 = lane_run, n2 = 2 * lane_run, n3 = 3 * lane_run;
  auto s00 = hn::Load(d, sum0), s01 = hn::Load(d, sum0 + n1), s02 = hn::Load(d, sum0 + n2),
       s03 = hn::Load(d, sum0 + n3);
  auto s10 = hn::Load(d, sum1), s11 = hn::Load(d, sum1 + n1), s12 = hn::Load(d, sum1 + n2),
       s13 = hn::Load(d, sum1 + n3);
  auto s20 = hn::Load(d, sum2), s21 = hn::Load(d, sum2 + n1), s22 = hn::Load(d, sum2 + n2),
       s23 = hn::Load(d, sum2 + n3);
  auto s30 = hn::Load(d, sum3), s31 = hn::Load(d, sum3 + n1), s32 = hn::Load(d, sum3 + n2),
       s33 = hn::Load(d, sum3 + n3);
  for (std::size_t line = 0; line < a.rows; line += lane_run) {
    fetch_ahead<fetch>(x0 + line + a.ahead), fetch_ahead<fetch>(x1 + line + a.ahead);
    fetch_ahead<fetch>(x2 + line + a.ahead), fetch_ahead<fetch>(x3 + line + a.ahead);
#pragma GCC unroll 1  // unrolled, it would run out of registers
    for (std::size_t r = line; r < line + lane_run; r += hn::Lanes(d)) {
      const auto u0 = held(hn::Load(d, e0 + r)), u1 = held(hn::Load(d, e1 + r));
      const auto u2 = held(hn::Load(d, e2 + r)), u3 = held(hn::Load(d, e3 + r));
      const auto v0 = held(hn::Load(d, x0 + r)), v1 = held(hn::Load(d, x1 + r));
      const auto v2 = held(hn::Load(d, x2 + r)), v3 = held(hn::Load(d, x3 + r));
      s00 = hn::MulAdd(v0, u0, s00), s01 = hn::MulAdd(v0, u1, s01);
      s02 = hn::MulAdd(v0, u2, s02), s03 = hn::MulAdd(v0, u3, s03);
      s10 = hn::MulAdd(v1, u0, s10), s11 = hn::MulAdd(v1, u1, s11);
      s12 = hn::MulAdd(v1, u2, s12), s13 = hn::MulAdd(v1, u3, s13);
      s20 = hn::MulAdd(v2, u0, s20), s21 = hn::MulAdd(v2, u1, s21);
      s22 = hn::MulAdd(v2, u2, s22), s23 = hn::MulAdd(v2, u3, s23);
      s30 = hn::MulAdd(v3, u0, s30), s31 = hn::MulAdd(v3, u1, s31);
      s32 = hn::MulAdd(v3, u2, s32), s33 = hn::MulAdd(v3, u3, s33);
    }
  }
  hn::Store(s00, d, sum0), hn::Store(s01, d, sum0 + n1), hn::Store(s02, d, sum0 + n2), hn::Store(s03, d, sum0 + n3);
  hn::Store(s10, d, sum1), hn::Store(s11, d, sum1 + n1), hn::Store(s12, d, sum1 + n2), hn::Store(s13, d, sum1 + n3);
  hn::Store(s20, d, sum2), hn::Store(s21, d, sum2 + n1), hn::Store(s22, d, sum2 + n2), hn::Store(s23, d, sum2 + n3);
  hn::Store(s30, d, sum3), hn::Store(s31, d, sum3 + n1), hn::Store(s32, d, sum3 + n2), hn::Store(s33, d, sum3 + n3);
}

/// Several against one: either side of the product may be the many.
struct Many {
  const float* many[8];
  float* sums[8];
  const float* one;
  std::size_t rows;
  std::size_t ahead;  ///< as in Accumulate, from each of the many
};

template <bool fetch>
HWY_ATTR inline void accumulate_eight(const Many& m) {
  const Lanes d;
  const float *x0 = m.many[0], *x1 = m.many[1], *x2 = m.many[2], *x3 = m.many[3];
  const float *x4 = m.many[4], *x5 = m.many[5], *x6 = m.many[6], *x7 = m.many[7];
  const float* one = m.one;
  const std::size_t ahead = m.ahead;
  auto s0 = hn::Load(d, m.sums[0]), s1 = hn::Load(d, m.sums[1]);
  auto s2 = hn::Load(d, m.sums[2]), s3 = hn::Load(d, m.sums[3]);
  auto s4 = hn::Load(d, m.sums[4]), s5 = hn::Load(d, m.sums[5]);
  auto s6 = hn::Load(d, m.sums[6]), s7 = hn::Load(d, m.sums[7]);
  for (std::size_t line = 0; line < m.rows; line += lane_run) {
    fetch_ahead<fetch>(x0 + line + ahead), fetch_ahead<fetch>(x1 + line + ahead);
    fetch_ahead<fetch>(x2 + line + ahead), fetch_ahead<fetch>(x3 + line + ahead);
    fetch_ahead<fetch>(x4 + line + ahead), fetch_ahead<fetch>(x5 + line + ahead);
    fetch_ahead<fetch>(x6 + line + ahead), fetch_ahead<fetch>(x7 + line + ahead);
    const float *y0 = placed(x0 + line), *y1 = placed(x1 + line), *y2 = placed(x2 + line), *y3 = placed(x3 + line);
    const float *y4 = placed(x4 + line), *y5 = placed(x5 + line), *y6 = placed(x6 + line), *y7 = placed(x7 + line);
    const float* y = placed(one + line);
    for (std::size_t r = 0; r < lane_run; r += hn::Lanes(d)) {
      const auto v = hn::Load(d, y + r);
      s0 = hn::MulAdd(hn::Load(d, y0 + r), v, s0), s1 = hn::MulAdd(hn::Load(d, y1 + r), v, s1);
      s2 = hn::MulAdd(hn::Load(d, y2 + r), v, s2), s3 = hn::MulAdd(hn::Load(d, y3 + r), v, s3);
      s4 = hn::MulAdd(hn::Load(d, y4 + r), v, s4), s5 = hn::MulAdd(hn::Load(d, y5 + r), v, s5);
      s6 = hn::MulAdd(hn::Load(d, y6 + r), v, s6), s7 = hn::MulAdd(hn::Load(d, y7 + r), v, s7);
    }
  }
  hn::Store(s0, d, m.sums[0]), hn::Store(s1, d, m.sums[1]), hn::Store(s2, d, m.sums[2]), hn::Store(s3, d, m.sums[3]);
  hn::Store(s4, d, m.sums[4]), hn::Store(s5, d, m.sums[5]), hn::Store(s6, d, m.sums[6]), hn::Store(s7, d, m.sums[7]);
}

/// Two rows of accumulators: the four sums would otherwise wait for their own additions.
template <bool fetch>
HWY_ATTR inline void accumulate_four(const Many& m) {
  const Lanes d;
  const std::size_t n = hn::Lanes(d);
  const float *x0 = m.many[0], *x1 = m.many[1], *x2 = m.many[2], *x3 = m.many[3];
  const float* one = m.one;
  auto s0 = hn::Load(d, m.sums[0]), s1 = hn::Load(d, m.sums[1]);
  auto s2 = hn::Load(d, m.sums[2]), s3 = hn::Load(d, m.sums[3]);
  auto t0 = hn::Zero(d), t1 = t0, t2 = t0, t3 = t0;
  std::size_t r = 0;
  for (; r + 2 * n <= m.rows; r += 2 * n) {
    fetch_ahead<fetch>(x0 + r + m.ahead), fetch_ahead<fetch>(x1 + r + m.ahead);
    fetch_ahead<fetch>(x2 + r + m.ahead), fetch_ahead<fetch>(x3 + r + m.ahead);
    const auto v = hn::Load(d, one + r), w = hn::Load(d, one + r + n);
    s0 = hn::MulAdd(hn::Load(d, x0 + r), v, s0), t0 = hn::MulAdd(hn::Load(d, x0 + r + n), w, t0);
    s1 = hn::MulAdd(hn::Load(d, x1 + r), v, s1), t1 = hn::MulAdd(hn::Load(d, x1 + r + n), w, t1);
    s2 = hn::MulAdd(hn::Load(d, x2 + r), v, s2), t2 = hn::MulAdd(hn::Load(d, x2 + r + n), w, t2);
    s3 = hn::MulAdd(hn::Load(d, x3 + r), v, s3), t3 = hn::MulAdd(hn::Load(d, x3 + r + n), w, t3);
  }
  for (; r < m.rows; r += n) {
    const auto v = hn::Load(d, one + r);
    s0 = hn::MulAdd(hn::Load(d, x0 + r), v, s0), s1 = hn::MulAdd(hn::Load(d, x1 + r), v, s1);
    s2 = hn::MulAdd(hn::Load(d, x2 + r), v, s2), s3 = hn::MulAdd(hn::Load(d, x3 + r), v, s3);
  }
  hn::Store(hn::Add(s0, t0), d, m.sums[0]), hn::Store(hn::Add(s1, t1), d, m.sums[1]);
  hn::Store(hn::Add(s2, t2), d, m.sums[2]), hn::Store(hn::Add(s3, t3), d, m.sums[3]);
}

/// A block of what is left over: of eight, or of four where that is enough, or one. Where fewer are left, the last is
/// taken again and again, into sums that nobody reads: that is faster than one by one. Returns how many it took.
template <bool fetch>
HWY_ATTR inline std::size_t accumulate_left(const Accumulate& a, std::size_t p, std::size_t q, std::size_t left,
                                            bool inputs) {
  if (left == 1) return accumulate_one<fetch>(a, p, q), 1;
  HWY_ALIGN float unread[lane_run] = {};
  const std::size_t block = left > 4 ? 8 : 4, real = left < block ? left : block;
  Many m{{}, {}, inputs ? a.errors_at + q * a.stride : a.in[p], a.rows, inputs ? a.ahead : 0};
  for (std::size_t i = 0; i < block; ++i) {
    const std::size_t k = i < real ? i : real - 1;
    m.many[i] = inputs ? a.in[p + k] : a.errors_at + (q + k) * a.stride;
    m.sums[i] = i < real ? a.sums + (inputs ? (p + k) * a.errors + q : p * a.errors + q + k) * lane_run : unread;
  }
  block == 8 ? accumulate_eight<fetch>(m) : accumulate_four<fetch>(m);
  return real;
}

/// Inputs from p on with error q.
template <bool fetch>
HWY_ATTR inline void accumulate_inputs(const Accumulate& a, std::size_t p, std::size_t q) {
  Many m{{}, {}, a.errors_at + q * a.stride, a.rows, a.ahead};
  for (; p + 8 <= a.inputs; p += 8) {
    for (std::size_t i = 0; i < 8; ++i)
      m.many[i] = a.in[p + i], m.sums[i] = a.sums + ((p + i) * a.errors + q) * lane_run;
    accumulate_eight<fetch>(m);
  }
  while (p < a.inputs) p += accumulate_left<fetch>(a, p, q, a.inputs - p, true);
}

/// Input p with the first so many errors.
template <bool fetch>
HWY_ATTR inline void accumulate_errors(const Accumulate& a, std::size_t p, std::size_t errors) {
  for (std::size_t q = 0; q < errors;) q += accumulate_left<false>(a, p, q, errors - q, false);
  if constexpr (fetch)
    for (std::size_t r = 0; r < a.rows; r += lane_run) fetch_ahead<true>(a.in[p] + r + a.ahead);
}

/// Inputs by four with all errors by four and by two, then the next inputs: the errors, which are fewer, stay in the
/// cache. What is left over on either side goes by eight. An input is fetched ahead when it is first looked at.
template <bool fetch>
HWY_ATTR inline void accumulate_fetching(const Accumulate& a) {
  const std::size_t fours = many_registers ? a.errors / 4 * 4 : 0, pairs = a.errors / 2 * 2;
  std::size_t p = 0;
  if (pairs > 0) {
    for (; p + 4 <= a.inputs; p += 4) {
      if (fours > 0) accumulate_four_by_four<fetch>(a, p, 0);
      for (std::size_t q = 4; q < fours; q += 4) accumulate_four_by_four<false>(a, p, q);
      if (fours == 0) accumulate_four_by_two<fetch>(a, p, 0);
      for (std::size_t q = fours > 0 ? fours : 2; q < pairs; q += 2) accumulate_four_by_two<false>(a, p, q);
    }
    for (; p < a.inputs; ++p) accumulate_errors<fetch>(a, p, pairs);
    if (pairs < a.errors) accumulate_inputs<false>(a, 0, pairs);
  } else {
    accumulate_inputs<fetch>(a, 0, 0);
  }
}

HWY_ATTR inline void accumulate(const Accumulate& a) {
  a.ahead > 0 ? accumulate_fetching<true>(a) : accumulate_fetching<false>(a);
}

/// A number's lanes joined in double, as many as a vector has.
HWY_ATTR inline double join_lanes(const float* lanes) {
  const hn::CappedTag<double, lane_run / 2> wide;
  const hn::Rebind<float, decltype(wide)> narrow;
  auto sum = hn::PromoteTo(wide, hn::Load(narrow, lanes));
  for (std::size_t i = hn::Lanes(wide); i < hn::Lanes(Lanes()); i += hn::Lanes(wide))
    sum = hn::Add(sum, hn::PromoteTo(wide, hn::Load(narrow, lanes + i)));
  return hn::GetLane(hn::SumOfLanes(wide, sum));
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
