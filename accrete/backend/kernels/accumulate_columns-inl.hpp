// Products of up to seven columns with one shared column over a tile of rows: several inputs with one error, or several
// errors with one input. Part of backend/kernels/accumulate-inl.hpp; unlike in the other kernels, every multiply-add
// needs its own load.

#if defined(ACCRETE_BACKEND_ACCUMULATE_COLUMNS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_BACKEND_ACCUMULATE_COLUMNS_INL_HPP
#undef ACCRETE_BACKEND_ACCUMULATE_COLUMNS_INL_HPP
#else
#define ACCRETE_BACKEND_ACCUMULATE_COLUMNS_INL_HPP
#endif

#include <cstddef>

#include "accrete/backend/kernels/accumulate_ops-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// sums[i * sum_stride + lane] += columns[i][r] * shared[r] for all columns i and rows r.
inline constexpr std::size_t max_columns = 7;
struct ColumnsArgs {
  const float* const* columns;
  const float* shared;
  float* sums;
  std::size_t sum_stride;
  std::size_t rows;
  std::size_t prefetch_distance;  ///< as in AccumulateArgs, from each column
};

/// sum += x * e over one cache line of rows, which is one, two or four vectors; e0 .. e3 belong to the shared column.
template <class V>
HWY_ATTR HWY_INLINE void mul_add_line(const float* x, V e0, V e1, V e2, V e3, V& sum) {
  using network::HWY_NAMESPACE::load_pair;
  const FloatTag d;
  const std::size_t n = hn::Lanes(d);
  auto a = e0, b = e0;
  if (n == line_floats) {
    sum = hn::MulAdd(hn::Load(d, x), e0, sum);
  } else {
    load_pair<0>(x, a, b), sum = hn::MulAdd(b, e1, hn::MulAdd(a, e0, sum));
    if (4 * n <= line_floats) load_pair<2>(x, a, b), sum = hn::MulAdd(b, e3, hn::MulAdd(a, e2, sum));
  }
}

/// Exactly `count` columns. Pointers and accumulators past `count` duplicate the first; they are not used or stored.
template <Prefetch prefetch, std::size_t count>
HWY_ATTR inline void accumulate_fixed_columns(const ColumnsArgs& m) {
  const FloatTag d;
  const std::size_t n = hn::Lanes(d), prefetch_distance = m.prefetch_distance, rows = m.rows;
  const auto index_or_0 = [](std::size_t i) { return i < count ? i : 0; };
  const float *x0 = m.columns[0], *x1 = m.columns[index_or_0(1)], *x2 = m.columns[index_or_0(2)],
              *x3 = m.columns[index_or_0(3)];
  const float *x4 = m.columns[index_or_0(4)], *x5 = m.columns[index_or_0(5)], *x6 = m.columns[index_or_0(6)],
              *shared = m.shared;
  float *t0 = m.sums, *t1 = t0 + index_or_0(1) * m.sum_stride, *t2 = t0 + index_or_0(2) * m.sum_stride,
        *t3 = t0 + index_or_0(3) * m.sum_stride;
  float *t4 = t0 + index_or_0(4) * m.sum_stride, *t5 = t0 + index_or_0(5) * m.sum_stride,
        *t6 = t0 + index_or_0(6) * m.sum_stride;
  auto s0 = hn::Load(d, t0), s1 = hn::Load(d, t1), s2 = hn::Load(d, t2), s3 = hn::Load(d, t3);
  auto s4 = hn::Load(d, t4), s5 = hn::Load(d, t5), s6 = hn::Load(d, t6);
  const std::size_t line = 4 * n < line_floats ? 4 * n : line_floats;  // shorter on the scalar target only
  for (std::size_t r = 0; r < rows; r += line) {
    const auto e0 = hn::Load(d, shared + r), e1 = hn::Load(d, shared + r + (n < line_floats ? n : 0));
    const auto e2 = 4 * n <= line_floats ? hn::Load(d, shared + r + 2 * n) : e0;
    const auto e3 = 4 * n <= line_floats ? hn::Load(d, shared + r + 3 * n) : e1;
    prefetch_lines<prefetch, count>(m.columns, x0, r, prefetch_distance);
    const auto add = [&](const float* x, auto& sum) HWY_ATTR { mul_add_line(x + r, e0, e1, e2, e3, sum); };
    add(x0, s0);
    if constexpr (count > 1) add(x1, s1);
    if constexpr (count > 2) add(x2, s2);
    if constexpr (count > 3) add(x3, s3);
    if constexpr (count > 4) add(x4, s4);
    if constexpr (count > 5) add(x5, s5);
    if constexpr (count > 6) add(x6, s6);
  }
  hn::Store(s0, d, t0);
  if constexpr (count > 1) hn::Store(s1, d, t1);
  if constexpr (count > 2) hn::Store(s2, d, t2);
  if constexpr (count > 3) hn::Store(s3, d, t3);
  if constexpr (count > 4) hn::Store(s4, d, t4);
  if constexpr (count > 5) hn::Store(s5, d, t5);
  if constexpr (count > 6) hn::Store(s6, d, t6);
}

/// The same for a number of columns known at run time, 2 to max_columns.
template <Prefetch prefetch>
HWY_ATTR inline void accumulate_columns(const ColumnsArgs& m, std::size_t count) {
  switch (count) {
    case 2:
      return accumulate_fixed_columns<prefetch, 2>(m);
    case 3:
      return accumulate_fixed_columns<prefetch, 3>(m);
    case 4:
      return accumulate_fixed_columns<prefetch, 4>(m);
    case 5:
      return accumulate_fixed_columns<prefetch, 5>(m);
    case 6:
      return accumulate_fixed_columns<prefetch, 6>(m);
    default:
      return accumulate_fixed_columns<prefetch, max_columns>(m);
  }
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
