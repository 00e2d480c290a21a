// The backward half of a dense layer over one tile of rows, once per instruction set:
//
//   accumulate   sums[p, q] += sum_r in_p[r] * error_q[r]
//
// One partial sum is kept per vector lane; backend/join-inl.hpp adds them up in double.

#if defined(ACCRETE_BACKEND_ACCUMULATE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_BACKEND_ACCUMULATE_INL_HPP
#undef ACCRETE_BACKEND_ACCUMULATE_INL_HPP
#else
#define ACCRETE_BACKEND_ACCUMULATE_INL_HPP
#endif

#include <cstddef>

#include "accrete/backend/blocks-inl.hpp"
#include "accrete/backend/evaluate_kernel.hpp"
#include "accrete/backend/held-inl.hpp"
#include "accrete/backend/several-inl.hpp"
#include "accrete/network/one_output-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using network::HWY_NAMESPACE::fetches_in_order;
using network::HWY_NAMESPACE::many_registers;

/// Sums lie one behind the other, each with as many lanes as a vector has: the fewer lines of the cache, the more of
/// the tile stays in it.
HWY_ATTR HWY_INLINE std::size_t sum_lanes() {
  return hn::Lanes(Lanes());
}

// Rows go by a line of the cache, lane_run floats, and within it by vectors.

template <Fetch fetch>
HWY_ATTR inline void accumulate_one(const Accumulate& a, std::size_t p, std::size_t q) {
  const Lanes d;
  const std::size_t n = hn::Lanes(d);
  const float* e = a.errors_at + q * a.stride;
  const float* x = a.in[p];
  float* sum = a.sums + (p * a.errors + q) * sum_lanes();
  auto s0 = hn::Load(d, sum), s1 = hn::Zero(d);
  std::size_t r = 0;
  for (; r + 2 * n <= a.rows; r += 2 * n) {
    if (r % lane_run == 0) fetch_lines<fetch, 1>(&x, x, r, a.ahead);
    s0 = hn::MulAdd(hn::Load(d, x + r), hn::Load(d, e + r), s0);
    s1 = hn::MulAdd(hn::Load(d, x + r + n), hn::Load(d, e + r + n), s1);
  }
  for (; r < a.rows; r += n) s0 = hn::MulAdd(hn::Load(d, x + r), hn::Load(d, e + r), s0);
  hn::Store(hn::Add(s0, s1), d, sum);
}

template <Fetch fetch>
HWY_ATTR inline void accumulate_four_by_two(const Accumulate& a, std::size_t p, std::size_t q) {
  const Lanes d;
  const float* e0 = a.errors_at + q * a.stride;
  const float* e1 = e0 + a.stride;
  const float *x0 = a.in[p], *x1 = a.in[p + 1], *x2 = a.in[p + 2], *x3 = a.in[p + 3];
  float* sum0 = a.sums + (p * a.errors + q) * sum_lanes();
  float* sum1 = sum0 + a.errors * sum_lanes();
  float* sum2 = sum1 + a.errors * sum_lanes();
  float* sum3 = sum2 + a.errors * sum_lanes();
  auto s00 = hn::Load(d, sum0), s01 = hn::Load(d, sum0 + sum_lanes());
  auto s10 = hn::Load(d, sum1), s11 = hn::Load(d, sum1 + sum_lanes());
  auto s20 = hn::Load(d, sum2), s21 = hn::Load(d, sum2 + sum_lanes());
  auto s30 = hn::Load(d, sum3), s31 = hn::Load(d, sum3 + sum_lanes());
  for (std::size_t line = 0; line < a.rows; line += lane_run) {
    fetch_lines<fetch, 4>(a.in + p, x0, line, a.ahead);
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
  hn::Store(s00, d, sum0), hn::Store(s01, d, sum0 + sum_lanes());
  hn::Store(s10, d, sum1), hn::Store(s11, d, sum1 + sum_lanes());
  hn::Store(s20, d, sum2), hn::Store(s21, d, sum2 + sum_lanes());
  hn::Store(s30, d, sum3), hn::Store(s31, d, sum3 + sum_lanes());
}

/// Where there are 32 registers.
template <Fetch fetch>
HWY_ATTR inline void accumulate_four_by_four(const Accumulate& a, std::size_t p, std::size_t q) {
  const Lanes d;
  const float* e0 = a.errors_at + q * a.stride;
  const float *e1 = e0 + a.stride, *e2 = e1 + a.stride, *e3 = e2 + a.stride;
  const float *x0 = a.in[p], *x1 = a.in[p + 1], *x2 = a.in[p + 2], *x3 = a.in[p + 3];
  float* sum0 = a.sums + (p * a.errors + q) * sum_lanes();
  float* sum1 = sum0 + a.errors * sum_lanes();
  float* sum2 = sum1 + a.errors * sum_lanes();
  float* sum3 = sum2 + a.errors * sum_lanes();
  const std::size_t n1 = sum_lanes(), n2 = 2 * n1, n3 = 3 * n1;
  auto s00 = hn::Load(d, sum0), s01 = hn::Load(d, sum0 + n1), s02 = hn::Load(d, sum0 + n2),
       s03 = hn::Load(d, sum0 + n3);
  auto s10 = hn::Load(d, sum1), s11 = hn::Load(d, sum1 + n1), s12 = hn::Load(d, sum1 + n2),
       s13 = hn::Load(d, sum1 + n3);
  auto s20 = hn::Load(d, sum2), s21 = hn::Load(d, sum2 + n1), s22 = hn::Load(d, sum2 + n2),
       s23 = hn::Load(d, sum2 + n3);
  auto s30 = hn::Load(d, sum3), s31 = hn::Load(d, sum3 + n1), s32 = hn::Load(d, sum3 + n2),
       s33 = hn::Load(d, sum3 + n3);
  for (std::size_t line = 0; line < a.rows; line += lane_run) {
    fetch_lines<fetch, 4>(a.in + p, x0, line, a.ahead);
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

/// Inputs from p on with error q.
template <Fetch fetch>
HWY_ATTR inline void accumulate_inputs(const Accumulate& a, std::size_t p, std::size_t q) {
  const std::size_t step = a.errors * sum_lanes();
  for (std::size_t count; p < a.inputs; p += count) {
    count = next_group(a.inputs - p);
    if (count == 1)
      accumulate_one<fetch>(a, p, q);
    else
      accumulate_so_many<fetch>(
          {a.in + p, a.errors_at + q * a.stride, a.sums + p * step + q * sum_lanes(), step, a.rows, a.ahead}, count);
  }
}

/// Input p with the first so many errors.
template <Fetch fetch>
HWY_ATTR inline void accumulate_errors(const Accumulate& a, std::size_t p, std::size_t errors) {
  for (std::size_t q = 0, count; q < errors; q += count) {
    count = next_group(errors - q);
    const float* many[most_many];
    for (std::size_t i = 0; i < count; ++i) many[i] = a.errors_at + (q + i) * a.stride;
    if (count == 1)
      accumulate_one<Fetch::nothing>(a, p, q);
    else
      accumulate_so_many<Fetch::nothing>(
          {many, a.in[p], a.sums + (p * a.errors + q) * sum_lanes(), sum_lanes(), a.rows, 0}, count);
  }
  for (std::size_t r = 0; r < a.rows; r += lane_run) fetch_lines<fetch, 1>(a.in + p, a.in[p], r, a.ahead);
}

/// Inputs by four with all errors by four and by two, then the next inputs: the errors, which are fewer, stay in the
/// cache. What is left over on either side goes several at a time. An input is fetched ahead when it is first looked
/// at.
template <Fetch fetch>
HWY_ATTR inline void accumulate_fetching(const Accumulate& a) {
#if ACCRETE_LONG_VECTORS
  if (a.errors == 1) return accumulate_holding<fetch>(a);
  if (a.errors > 2) return accumulate_blocks<fetch>(a);
#endif
  const std::size_t fours = many_registers ? a.errors / 4 * 4 : 0, pairs = a.errors / 2 * 2;
  std::size_t p = 0;
  if (pairs > 0) {
    for (; p + 4 <= a.inputs; p += 4) {
      if (fours > 0) accumulate_four_by_four<fetch>(a, p, 0);
      for (std::size_t q = 4; q < fours; q += 4) accumulate_four_by_four<Fetch::nothing>(a, p, q);
      if (fours == 0) accumulate_four_by_two<fetch>(a, p, 0);
      for (std::size_t q = fours > 0 ? fours : 2; q < pairs; q += 2) accumulate_four_by_two<Fetch::nothing>(a, p, q);
    }
#if ACCRETE_LONG_VECTORS
    if (p < a.inputs) return accumulate_block_of<fetch, 2>(a, p, 0, a.inputs - p);
#endif
    for (; p < a.inputs; ++p) accumulate_errors<fetch>(a, p, pairs);
    if (pairs < a.errors) accumulate_inputs<Fetch::nothing>(a, 0, pairs);
  } else {
    accumulate_inputs<fetch>(a, 0, 0);
  }
}

HWY_ATTR inline void accumulate(const Accumulate& a) {
  if (a.ahead == 0) return accumulate_fetching<Fetch::nothing>(a);
  if (fetches_in_order && a.neighbours) return accumulate_fetching<Fetch::in_order>(a);
  accumulate_fetching<Fetch::apart>(a);
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
