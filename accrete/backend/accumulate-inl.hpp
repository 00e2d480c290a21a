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
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, lane_run>;

/// sums[(p * errors + q) * lane_run + lane], for all inputs p and errors q; error_q = errors_at + q * stride.
struct Accumulate {
  const float* const* in;
  std::size_t inputs;
  const float* errors_at;
  std::size_t errors;
  std::size_t rows;
  std::size_t stride;
  float* sums;
};

HWY_ATTR inline void accumulate_one(const Accumulate& a, std::size_t p, std::size_t q) {
  const Lanes d;
  const std::size_t n = hn::Lanes(d);
  const float* e = a.errors_at + q * a.stride;
  const float* x = a.in[p];
  float* sum = a.sums + (p * a.errors + q) * lane_run;
  auto s0 = hn::Load(d, sum), s1 = hn::Zero(d);
  std::size_t r = 0;
  for (; r + 2 * n <= a.rows; r += 2 * n) {
    s0 = hn::MulAdd(hn::Load(d, x + r), hn::Load(d, e + r), s0);
    s1 = hn::MulAdd(hn::Load(d, x + r + n), hn::Load(d, e + r + n), s1);
  }
  for (; r < a.rows; r += n) s0 = hn::MulAdd(hn::Load(d, x + r), hn::Load(d, e + r), s0);
  hn::Store(hn::Add(s0, s1), d, sum);
}

/// A loaded vector that stays in its register: the compiler would rather load it again for every use, and loads are
/// what this loop has fewest to spare of.
template <class V>
HWY_ATTR HWY_INLINE V held(V v) {
#if HWY_ARCH_X86 && HWY_COMPILER_GCC && !HWY_COMPILER_CLANG && HWY_TARGET != HWY_SCALAR
  asm("" : "+v"(v.raw));
#endif
  return v;
}

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
  for (std::size_t r = 0; r < a.rows; r += hn::Lanes(d)) {
    const auto u0 = hn::Load(d, e0 + r), u1 = hn::Load(d, e1 + r);
    const auto v0 = held(hn::Load(d, x0 + r)), v1 = held(hn::Load(d, x1 + r));
    const auto v2 = held(hn::Load(d, x2 + r)), v3 = held(hn::Load(d, x3 + r));
    s00 = hn::MulAdd(v0, u0, s00), s01 = hn::MulAdd(v0, u1, s01);
    s10 = hn::MulAdd(v1, u0, s10), s11 = hn::MulAdd(v1, u1, s11);
    s20 = hn::MulAdd(v2, u0, s20), s21 = hn::MulAdd(v2, u1, s21);
    s30 = hn::MulAdd(v3, u0, s30), s31 = hn::MulAdd(v3, u1, s31);
  }
  hn::Store(s00, d, sum0), hn::Store(s01, d, sum0 + lane_run);
  hn::Store(s10, d, sum1), hn::Store(s11, d, sum1 + lane_run);
  hn::Store(s20, d, sum2), hn::Store(s21, d, sum2 + lane_run);
  hn::Store(s30, d, sum3), hn::Store(s31, d, sum3 + lane_run);
}

/// Up to eight against one: either side of the product may be the many.
struct Many {
  const float* many[8];
  const float* one;
  std::size_t rows;
  float* sum;
  std::size_t next;  ///< from the sum of one of the many to the next one's
};

HWY_ATTR inline void accumulate_eight(const Many& m) {
  const Lanes d;
  const float *x0 = m.many[0], *x1 = m.many[1], *x2 = m.many[2], *x3 = m.many[3];
  const float *x4 = m.many[4], *x5 = m.many[5], *x6 = m.many[6], *x7 = m.many[7];
  float* sum = m.sum;
  const std::size_t next = m.next;
  auto s0 = hn::Load(d, sum), s1 = hn::Load(d, sum + next);
  auto s2 = hn::Load(d, sum + 2 * next), s3 = hn::Load(d, sum + 3 * next);
  auto s4 = hn::Load(d, sum + 4 * next), s5 = hn::Load(d, sum + 5 * next);
  auto s6 = hn::Load(d, sum + 6 * next), s7 = hn::Load(d, sum + 7 * next);
  for (std::size_t r = 0; r < m.rows; r += hn::Lanes(d)) {
    const auto v = hn::Load(d, m.one + r);
    s0 = hn::MulAdd(hn::Load(d, x0 + r), v, s0), s1 = hn::MulAdd(hn::Load(d, x1 + r), v, s1);
    s2 = hn::MulAdd(hn::Load(d, x2 + r), v, s2), s3 = hn::MulAdd(hn::Load(d, x3 + r), v, s3);
    s4 = hn::MulAdd(hn::Load(d, x4 + r), v, s4), s5 = hn::MulAdd(hn::Load(d, x5 + r), v, s5);
    s6 = hn::MulAdd(hn::Load(d, x6 + r), v, s6), s7 = hn::MulAdd(hn::Load(d, x7 + r), v, s7);
  }
  hn::Store(s0, d, sum), hn::Store(s1, d, sum + next);
  hn::Store(s2, d, sum + 2 * next), hn::Store(s3, d, sum + 3 * next);
  hn::Store(s4, d, sum + 4 * next), hn::Store(s5, d, sum + 5 * next);
  hn::Store(s6, d, sum + 6 * next), hn::Store(s7, d, sum + 7 * next);
}

/// Two rows of accumulators: the four sums would otherwise wait for their own additions.
HWY_ATTR inline void accumulate_four(const Many& m) {
  const Lanes d;
  const std::size_t n = hn::Lanes(d), next = m.next;
  const float *x0 = m.many[0], *x1 = m.many[1], *x2 = m.many[2], *x3 = m.many[3];
  float* sum = m.sum;
  auto s0 = hn::Load(d, sum), s1 = hn::Load(d, sum + next);
  auto s2 = hn::Load(d, sum + 2 * next), s3 = hn::Load(d, sum + 3 * next);
  auto t0 = hn::Zero(d), t1 = t0, t2 = t0, t3 = t0;
  std::size_t r = 0;
  for (; r + 2 * n <= m.rows; r += 2 * n) {
    const auto v = hn::Load(d, m.one + r), w = hn::Load(d, m.one + r + n);
    s0 = hn::MulAdd(hn::Load(d, x0 + r), v, s0), t0 = hn::MulAdd(hn::Load(d, x0 + r + n), w, t0);
    s1 = hn::MulAdd(hn::Load(d, x1 + r), v, s1), t1 = hn::MulAdd(hn::Load(d, x1 + r + n), w, t1);
    s2 = hn::MulAdd(hn::Load(d, x2 + r), v, s2), t2 = hn::MulAdd(hn::Load(d, x2 + r + n), w, t2);
    s3 = hn::MulAdd(hn::Load(d, x3 + r), v, s3), t3 = hn::MulAdd(hn::Load(d, x3 + r + n), w, t3);
  }
  for (; r < m.rows; r += n) {
    const auto v = hn::Load(d, m.one + r);
    s0 = hn::MulAdd(hn::Load(d, x0 + r), v, s0), s1 = hn::MulAdd(hn::Load(d, x1 + r), v, s1);
    s2 = hn::MulAdd(hn::Load(d, x2 + r), v, s2), s3 = hn::MulAdd(hn::Load(d, x3 + r), v, s3);
  }
  hn::Store(hn::Add(s0, t0), d, sum), hn::Store(hn::Add(s1, t1), d, sum + next);
  hn::Store(hn::Add(s2, t2), d, sum + 2 * next), hn::Store(hn::Add(s3, t3), d, sum + 3 * next);
}

/// Inputs from p on with error q.
HWY_ATTR inline void accumulate_inputs(const Accumulate& a, std::size_t p, std::size_t q) {
  Many m{{}, a.errors_at + q * a.stride, a.rows, nullptr, a.errors * lane_run};
  while (p < a.inputs) {
    const std::size_t left = a.inputs - p, count = left >= 8 ? 8 : left >= 4 ? 4 : 1;
    m.sum = a.sums + (p * a.errors + q) * lane_run;
    for (std::size_t i = 0; i < count; ++i) m.many[i] = a.in[p + i];
    count == 8 ? accumulate_eight(m) : count == 4 ? accumulate_four(m) : accumulate_one(a, p, q);
    p += count;
  }
}

/// Input p with the first so many errors.
HWY_ATTR inline void accumulate_errors(const Accumulate& a, std::size_t p, std::size_t errors) {
  Many m{{}, a.in[p], a.rows, nullptr, lane_run};
  for (std::size_t q = 0; q < errors;) {
    const std::size_t left = errors - q, count = left >= 8 ? 8 : left >= 4 ? 4 : 1;
    m.sum = a.sums + (p * a.errors + q) * lane_run;
    for (std::size_t i = 0; i < count; ++i) m.many[i] = a.errors_at + (q + i) * a.stride;
    count == 8 ? accumulate_eight(m) : count == 4 ? accumulate_four(m) : accumulate_one(a, p, q);
    q += count;
  }
}

/// Inputs by four with all errors by two, then the next inputs: the errors, which are fewer, stay in the cache. What is
/// left over on either side goes by eight.
HWY_ATTR inline void accumulate(const Accumulate& a) {
  const std::size_t pairs = a.errors / 2 * 2;
  std::size_t p = 0;
  if (pairs > 0) {
    for (; p + 4 <= a.inputs; p += 4)
      for (std::size_t q = 0; q < pairs; q += 2) accumulate_four_by_two(a, p, q);
    for (; p < a.inputs; ++p) accumulate_errors(a, p, pairs);
  }
  if (pairs < a.errors) accumulate_inputs(a, 0, pairs);
}

/// A number's lanes joined in double.
HWY_ATTR inline double join_lanes(const float* lanes) {
  const hn::CappedTag<double, 8> wide;
  const hn::Rebind<float, decltype(wide)> narrow;
  auto sum = hn::PromoteTo(wide, hn::Load(narrow, lanes));
  for (std::size_t i = hn::Lanes(wide); i < lane_run; i += hn::Lanes(wide))
    sum = hn::Add(sum, hn::PromoteTo(wide, hn::Load(narrow, lanes + i)));
  return hn::GetLane(hn::SumOfLanes(wide, sum));
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
