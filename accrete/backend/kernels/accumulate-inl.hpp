// Weight gradient of a dense layer over one tile of rows, compiled once per instruction set:
//
//   accumulate   sums[p, q] += sum_r in_p[r] * error_q[r]
//
// error_q is the gradient of the loss with respect to output q. A sum consists of one float per vector lane;
// backend/kernels/reduce-inl.hpp adds the lanes in double.

#if defined(ACCRETE_BACKEND_ACCUMULATE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_BACKEND_ACCUMULATE_INL_HPP
#undef ACCRETE_BACKEND_ACCUMULATE_INL_HPP
#else
#define ACCRETE_BACKEND_ACCUMULATE_INL_HPP
#endif

#include <cstddef>

#include "accrete/backend/kernels/accumulate_block-inl.hpp"
#include "accrete/backend/kernels/accumulate_columns-inl.hpp"
#include "accrete/backend/kernels/accumulate_ops-inl.hpp"
#include "accrete/backend/kernels/accumulate_single-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using network::HWY_NAMESPACE::has_32_registers;
using network::HWY_NAMESPACE::prefetches_sequentially;

// Register blocks below are inputs x errors. Loops run over cache lines of rows, and within a line over its vectors.

/// Input p with error q.
template <Prefetch prefetch>
HWY_ATTR inline void accumulate_1x1(const AccumulateArgs& a, std::size_t p, std::size_t q) {
  const FloatTag d;
  const std::size_t n = hn::Lanes(d);
  const float* e = a.error + q * a.stride;
  const float* x = a.in[p];
  float* sum = a.sums + (p * a.errors + q) * accumulator_lanes();
  auto s0 = hn::Load(d, sum), s1 = hn::Zero(d);
  std::size_t r = 0;
  for (; r + 2 * n <= a.rows; r += 2 * n) {
    if (r % line_floats == 0) prefetch_lines<prefetch, 1>(&x, x, r, a.prefetch_distance);
    s0 = hn::MulAdd(hn::Load(d, x + r), hn::Load(d, e + r), s0);
    s1 = hn::MulAdd(hn::Load(d, x + r + n), hn::Load(d, e + r + n), s1);
  }
  for (; r < a.rows; r += n) s0 = hn::MulAdd(hn::Load(d, x + r), hn::Load(d, e + r), s0);
  hn::Store(hn::Add(s0, s1), d, sum);
}

/// Inputs p .. p + 3 with errors q and q + 1.
template <Prefetch prefetch>
HWY_ATTR inline void accumulate_4x2(const AccumulateArgs& a, std::size_t p, std::size_t q) {
  const FloatTag d;
  const float* e0 = a.error + q * a.stride;
  const float* e1 = e0 + a.stride;
  const float *x0 = a.in[p], *x1 = a.in[p + 1], *x2 = a.in[p + 2], *x3 = a.in[p + 3];
  float* sum0 = a.sums + (p * a.errors + q) * accumulator_lanes();
  float* sum1 = sum0 + a.errors * accumulator_lanes();
  float* sum2 = sum1 + a.errors * accumulator_lanes();
  float* sum3 = sum2 + a.errors * accumulator_lanes();
  auto s00 = hn::Load(d, sum0), s01 = hn::Load(d, sum0 + accumulator_lanes());
  auto s10 = hn::Load(d, sum1), s11 = hn::Load(d, sum1 + accumulator_lanes());
  auto s20 = hn::Load(d, sum2), s21 = hn::Load(d, sum2 + accumulator_lanes());
  auto s30 = hn::Load(d, sum3), s31 = hn::Load(d, sum3 + accumulator_lanes());
  for (std::size_t line = 0; line < a.rows; line += line_floats) {
    prefetch_lines<prefetch, 4>(a.in + p, x0, line, a.prefetch_distance);
    for (std::size_t r = line; r < line + line_floats; r += hn::Lanes(d)) {
      const auto u0 = hn::Load(d, e0 + r), u1 = hn::Load(d, e1 + r);
      const auto v0 = keep_in_register(hn::Load(d, x0 + r)), v1 = keep_in_register(hn::Load(d, x1 + r));
      const auto v2 = keep_in_register(hn::Load(d, x2 + r)), v3 = keep_in_register(hn::Load(d, x3 + r));
      s00 = hn::MulAdd(v0, u0, s00), s01 = hn::MulAdd(v0, u1, s01);
      s10 = hn::MulAdd(v1, u0, s10), s11 = hn::MulAdd(v1, u1, s11);
      s20 = hn::MulAdd(v2, u0, s20), s21 = hn::MulAdd(v2, u1, s21);
      s30 = hn::MulAdd(v3, u0, s30), s31 = hn::MulAdd(v3, u1, s31);
    }
  }
  hn::Store(s00, d, sum0), hn::Store(s01, d, sum0 + accumulator_lanes());
  hn::Store(s10, d, sum1), hn::Store(s11, d, sum1 + accumulator_lanes());
  hn::Store(s20, d, sum2), hn::Store(s21, d, sum2 + accumulator_lanes());
  hn::Store(s30, d, sum3), hn::Store(s31, d, sum3 + accumulator_lanes());
}

/// Inputs p .. p + 3 with errors q .. q + 3, for targets with 32 vector registers.
template <Prefetch prefetch>
HWY_ATTR inline void accumulate_4x4(const AccumulateArgs& a, std::size_t p, std::size_t q) {
  const FloatTag d;
  const float* e0 = a.error + q * a.stride;
  const float *e1 = e0 + a.stride, *e2 = e1 + a.stride, *e3 = e2 + a.stride;
  const float *x0 = a.in[p], *x1 = a.in[p + 1], *x2 = a.in[p + 2], *x3 = a.in[p + 3];
  float* sum0 = a.sums + (p * a.errors + q) * accumulator_lanes();
  float* sum1 = sum0 + a.errors * accumulator_lanes();
  float* sum2 = sum1 + a.errors * accumulator_lanes();
  float* sum3 = sum2 + a.errors * accumulator_lanes();
  const std::size_t n1 = accumulator_lanes(), n2 = 2 * n1, n3 = 3 * n1;
  auto s00 = hn::Load(d, sum0), s01 = hn::Load(d, sum0 + n1), s02 = hn::Load(d, sum0 + n2),
       s03 = hn::Load(d, sum0 + n3);
  auto s10 = hn::Load(d, sum1), s11 = hn::Load(d, sum1 + n1), s12 = hn::Load(d, sum1 + n2),
       s13 = hn::Load(d, sum1 + n3);
  auto s20 = hn::Load(d, sum2), s21 = hn::Load(d, sum2 + n1), s22 = hn::Load(d, sum2 + n2),
       s23 = hn::Load(d, sum2 + n3);
  auto s30 = hn::Load(d, sum3), s31 = hn::Load(d, sum3 + n1), s32 = hn::Load(d, sum3 + n2),
       s33 = hn::Load(d, sum3 + n3);
  for (std::size_t line = 0; line < a.rows; line += line_floats) {
    prefetch_lines<prefetch, 4>(a.in + p, x0, line, a.prefetch_distance);
#pragma GCC unroll 1  // unrolled, the accumulators would spill
    for (std::size_t r = line; r < line + line_floats; r += hn::Lanes(d)) {
      const auto u0 = keep_in_register(hn::Load(d, e0 + r)), u1 = keep_in_register(hn::Load(d, e1 + r));
      const auto u2 = keep_in_register(hn::Load(d, e2 + r)), u3 = keep_in_register(hn::Load(d, e3 + r));
      const auto v0 = keep_in_register(hn::Load(d, x0 + r)), v1 = keep_in_register(hn::Load(d, x1 + r));
      const auto v2 = keep_in_register(hn::Load(d, x2 + r)), v3 = keep_in_register(hn::Load(d, x3 + r));
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

/// All inputs from p on with error q.
template <Prefetch prefetch>
HWY_ATTR inline void accumulate_inputs(const AccumulateArgs& a, std::size_t p, std::size_t q) {
  const std::size_t step = a.errors * accumulator_lanes();
  for (std::size_t count; p < a.inputs; p += count) {
    count = balanced_group(a.inputs - p, max_columns);
    if (count == 1)
      accumulate_1x1<prefetch>(a, p, q);
    else
      accumulate_columns<prefetch>({.columns = a.in + p,
                                    .shared = a.error + q * a.stride,
                                    .sums = a.sums + p * step + q * accumulator_lanes(),
                                    .sum_stride = step,
                                    .rows = a.rows,
                                    .prefetch_distance = a.prefetch_distance},
                                   count);
  }
}

/// Input p with the first `errors` errors.
template <Prefetch prefetch>
HWY_ATTR inline void accumulate_errors(const AccumulateArgs& a, std::size_t p, std::size_t errors) {
  for (std::size_t q = 0, count; q < errors; q += count) {
    count = balanced_group(errors - q, max_columns);
    const float* columns[max_columns];
    for (std::size_t i = 0; i < count; ++i) columns[i] = a.error + (q + i) * a.stride;
    if (count == 1)
      accumulate_1x1<Prefetch::none>(a, p, q);
    else
      accumulate_columns<Prefetch::none>({.columns = columns,
                                          .shared = a.in[p],
                                          .sums = a.sums + (p * a.errors + q) * accumulator_lanes(),
                                          .sum_stride = accumulator_lanes(),
                                          .rows = a.rows,
                                          .prefetch_distance = 0},
                                         count);
  }
  for (std::size_t r = 0; r < a.rows; r += line_floats)
    prefetch_lines<prefetch, 1>(a.in + p, a.in[p], r, a.prefetch_distance);
}

/// All inputs with all errors. Without AVX-512, or for two errors, the outer loop runs over groups of four inputs, so
/// that the errors, which are fewer, stay in the cache. Remaining inputs and an odd last error use the column kernels,
/// which read the inputs again. The next tile of an input is prefetched when the input is first read.
template <Prefetch prefetch>
HWY_ATTR inline void accumulate_with_prefetch(const AccumulateArgs& a) {
#if ACCRETE_HAS_AVX512
  if (a.errors == 1) return accumulate_single_error<prefetch>(a);
  if (a.errors > 2) return accumulate_blocks<prefetch>(a);
#endif
  const std::size_t fours = has_32_registers ? a.errors / 4 * 4 : 0, pairs = a.errors / 2 * 2;
  std::size_t p = 0;
  if (pairs > 0) {
    for (; p + 4 <= a.inputs; p += 4) {
      if (fours > 0) accumulate_4x4<prefetch>(a, p, 0);
      for (std::size_t q = 4; q < fours; q += 4) accumulate_4x4<Prefetch::none>(a, p, q);
      if (fours == 0) accumulate_4x2<prefetch>(a, p, 0);
      for (std::size_t q = fours > 0 ? fours : 2; q < pairs; q += 2) accumulate_4x2<Prefetch::none>(a, p, q);
    }
#if ACCRETE_HAS_AVX512
    if (p < a.inputs) return accumulate_block<prefetch, 2>(a, p, 0, a.inputs - p);
#endif
    for (; p < a.inputs; ++p) accumulate_errors<prefetch>(a, p, pairs);
    if (pairs < a.errors) accumulate_inputs<Prefetch::none>(a, 0, pairs);
  } else {
    accumulate_inputs<prefetch>(a, 0, 0);
  }
}

/// Accumulates all inputs with all errors of a tile.
HWY_ATTR inline void accumulate(const AccumulateArgs& a) {
  if (a.prefetch_distance == 0) return accumulate_with_prefetch<Prefetch::none>(a);
  if (prefetches_sequentially && a.contiguous) return accumulate_with_prefetch<Prefetch::sequential>(a);
  accumulate_with_prefetch<Prefetch::per_input>(a);
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
