// Normal equations of the least-squares output layer over one tile, compiled once per instruction set.

#if defined(ACCRETE_BACKEND_GRAM_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_BACKEND_GRAM_INL_HPP
#undef ACCRETE_BACKEND_GRAM_INL_HPP
#else
#define ACCRETE_BACKEND_GRAM_INL_HPP
#endif

#include <algorithm>
#include <cstddef>

#include "accrete/backend/kernels/evaluate_kernel.hpp"
#include "accrete/backend/kernels/reduce-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// gram[p * count + q] += sum_r w[r] * columns[p][r] * columns[q][r]. Sums are in double; NEON, with two doubles per
/// vector, first adds up to float_run products per lane in float, whose error is no larger than the rounding of the
/// inputs. Blocks of large tables sum a whole tile per lane in float. Indices past the last column read the last
/// column, and their results are dropped.
inline constexpr std::size_t float_run = 4;
struct GramArgs {
  const float* weights;
  const float* const* columns;
  std::size_t count, rows;  ///< number of columns and rows
  double* gram;

  const float* column(std::size_t q) const { return columns[std::min(q, count - 1)]; }
  /// End of the run that starts at row `first`. Rows are a multiple of line_floats, so runs of short vectors are
  /// complete.
  std::size_t run_end(std::size_t first, std::size_t lanes) const {
    return float_run * lanes <= line_floats ? first + float_run * lanes : std::min(first + float_run * lanes, rows);
  }
  void add(std::size_t p, std::size_t q, double sum) const {
    if (q < count) gram[p * count + q] += sum;
  }
};

#if HWY_ARCH_ARM_A64 && HWY_TARGET == HWY_NEON
using FactorTag = hn::CappedTag<float, line_floats>;
/// Loads one vector of factors in the type of the products.
HWY_ATTR HWY_INLINE auto load_factor(FactorTag d, const float* from) {
  return hn::Load(d, from);
}
/// total += v, promoted to double, both halves.
template <class V, class W>
HWY_ATTR HWY_INLINE void add_promoted(V v, W& total) {
  total = hn::Add(total, hn::Add(W(vcvt_f64_f32(vget_low_f32(v.raw))), W(vcvt_high_f64_f32(v.raw))));
}
#else
using FactorTag = hn::CappedTag<double, line_floats / 2>;
/// Loads one vector of factors in the type of the products.
HWY_ATTR HWY_INLINE auto load_factor(FactorTag d, const float* from) {
  return hn::PromoteTo(d, hn::Load(hn::Rebind<float, FactorTag>(), from));
}
template <class V>
HWY_ATTR HWY_INLINE void add_promoted(V v, V& total) {
  total = hn::Add(total, v);
}
#endif

/// Columns p, p + 1 with q .. q + 3.
HWY_ATTR inline void add_gram_2x4(const GramArgs& m, std::size_t p, std::size_t q) {
  const FactorTag d;
  const hn::CappedTag<double, line_floats / 2> wide;
  const std::size_t n = hn::Lanes(d);
  const float *w = m.weights, *x0 = m.columns[p], *x1 = m.columns[p + 1];
  const float *y0 = m.column(q), *y1 = m.column(q + 1), *y2 = m.column(q + 2), *y3 = m.column(q + 3);
  auto t00 = hn::Zero(wide), t01 = t00, t02 = t00, t03 = t00, t10 = t00, t11 = t00, t12 = t00, t13 = t00;
  for (std::size_t first = 0; first < m.rows; first += float_run * n) {
    auto s00 = hn::Zero(d), s01 = s00, s02 = s00, s03 = s00, s10 = s00, s11 = s00, s12 = s00, s13 = s00;
    for (std::size_t r = first; r < m.run_end(first, n); r += n) {
      const auto weight = load_factor(d, w + r);
      const auto u0 = hn::Mul(weight, load_factor(d, x0 + r)), u1 = hn::Mul(weight, load_factor(d, x1 + r));
      const auto v0 = load_factor(d, y0 + r), v1 = load_factor(d, y1 + r);
      const auto v2 = load_factor(d, y2 + r), v3 = load_factor(d, y3 + r);
      s00 = hn::MulAdd(u0, v0, s00), s01 = hn::MulAdd(u0, v1, s01);
      s02 = hn::MulAdd(u0, v2, s02), s03 = hn::MulAdd(u0, v3, s03);
      s10 = hn::MulAdd(u1, v0, s10), s11 = hn::MulAdd(u1, v1, s11);
      s12 = hn::MulAdd(u1, v2, s12), s13 = hn::MulAdd(u1, v3, s13);
    }
    add_promoted(s00, t00), add_promoted(s01, t01), add_promoted(s02, t02), add_promoted(s03, t03);
    add_promoted(s10, t10), add_promoted(s11, t11), add_promoted(s12, t12), add_promoted(s13, t13);
  }
  const auto reduce = [&](auto t) HWY_ATTR { return hn::GetLane(hn::SumOfLanes(wide, t)); };
  m.add(p, q, reduce(t00)), m.add(p, q + 1, reduce(t01)), m.add(p, q + 2, reduce(t02)), m.add(p, q + 3, reduce(t03));
  m.add(p + 1, q, reduce(t10)), m.add(p + 1, q + 1, reduce(t11));
  m.add(p + 1, q + 2, reduce(t12)), m.add(p + 1, q + 3, reduce(t13));
}

/// Columns p, p + 1 with q, q + 1.
HWY_ATTR inline void add_gram_2x2(const GramArgs& m, std::size_t p, std::size_t q) {
  const FactorTag d;
  const hn::CappedTag<double, line_floats / 2> wide;
  const std::size_t n = hn::Lanes(d);
  const float *w = m.weights, *x0 = m.columns[p], *x1 = m.columns[p + 1], *y0 = m.column(q), *y1 = m.column(q + 1);
  auto t00 = hn::Zero(wide), t01 = t00, t10 = t00, t11 = t00;
  for (std::size_t first = 0; first < m.rows; first += float_run * n) {
    auto s00 = hn::Zero(d), s01 = s00, s10 = s00, s11 = s00;
    for (std::size_t r = first; r < m.run_end(first, n); r += n) {
      const auto weight = load_factor(d, w + r);
      const auto u0 = hn::Mul(weight, load_factor(d, x0 + r)), u1 = hn::Mul(weight, load_factor(d, x1 + r));
      const auto v0 = load_factor(d, y0 + r), v1 = load_factor(d, y1 + r);
      s00 = hn::MulAdd(u0, v0, s00), s01 = hn::MulAdd(u0, v1, s01);
      s10 = hn::MulAdd(u1, v0, s10), s11 = hn::MulAdd(u1, v1, s11);
    }
    add_promoted(s00, t00), add_promoted(s01, t01), add_promoted(s10, t10), add_promoted(s11, t11);
  }
  const auto reduce = [&](auto t) HWY_ATTR { return hn::GetLane(hn::SumOfLanes(wide, t)); };
  m.add(p, q, reduce(t00)), m.add(p, q + 1, reduce(t01));
  m.add(p + 1, q, reduce(t10)), m.add(p + 1, q + 1, reduce(t11));
}

/// Column p with q .. q + 2. For one unit and one output this is the whole matrix: the unit times itself, 1 and the
/// target.
HWY_ATTR inline void add_gram_1x3(const GramArgs& m, std::size_t p, std::size_t q) {
  const FactorTag d;
  const hn::CappedTag<double, line_floats / 2> wide;
  const std::size_t n = hn::Lanes(d);
  const float *w = m.weights, *x = m.columns[p];
  const float *y0 = m.column(q), *y1 = m.column(q + 1), *y2 = m.column(q + 2);
  auto t0 = hn::Zero(wide), t1 = t0, t2 = t0;
  for (std::size_t first = 0; first < m.rows; first += float_run * n) {
    auto s0 = hn::Zero(d), s1 = s0, s2 = s0;
    for (std::size_t r = first; r < m.run_end(first, n); r += n) {
      const auto u = hn::Mul(load_factor(d, w + r), load_factor(d, x + r));
      s0 = hn::MulAdd(u, load_factor(d, y0 + r), s0), s1 = hn::MulAdd(u, load_factor(d, y1 + r), s1);
      s2 = hn::MulAdd(u, load_factor(d, y2 + r), s2);
    }
    add_promoted(s0, t0), add_promoted(s1, t1), add_promoted(s2, t2);
  }
  const auto reduce = [&](auto t) HWY_ATTR { return hn::GetLane(hn::SumOfLanes(wide, t)); };
  m.add(p, q, reduce(t0)), m.add(p, q + 1, reduce(t1)), m.add(p, q + 2, reduce(t2));
}

/// True if products are summed in float over a tile, four times as fast. Steps on a large table have many units, enough
/// rows and a large enough ridge that the rounding does not matter; it would with few rows and nearly dependent units.
inline bool sums_in_float(const KernelBlock& b) {
  return b.units >= 8 && !b.lookup->empty();
}

/// Columns p .. p + 3 with q .. q + 3, in float lanes.
HWY_ATTR inline void add_gram_4x4(const GramArgs& m, std::size_t p, std::size_t q) {
  const hn::CappedTag<float, line_floats> d;
  const std::size_t n = hn::Lanes(d);
  const float *w = m.weights, *x0 = m.columns[p], *x1 = m.columns[p + 1], *x2 = m.columns[p + 2];
  const float* x3 = m.columns[p + 3];
  const float *y0 = m.column(q), *y1 = m.column(q + 1), *y2 = m.column(q + 2), *y3 = m.column(q + 3);
  auto s00 = hn::Zero(d), s01 = s00, s02 = s00, s03 = s00, s10 = s00, s11 = s00, s12 = s00, s13 = s00;
  auto s20 = s00, s21 = s00, s22 = s00, s23 = s00, s30 = s00, s31 = s00, s32 = s00, s33 = s00;
  for (std::size_t r = 0; r < m.rows; r += n) {
    const auto v0 = hn::Load(d, y0 + r), v1 = hn::Load(d, y1 + r), v2 = hn::Load(d, y2 + r), v3 = hn::Load(d, y3 + r);
    const auto weight = hn::Load(d, w + r);
    const auto u0 = hn::Mul(weight, hn::Load(d, x0 + r)), u1 = hn::Mul(weight, hn::Load(d, x1 + r));
    s00 = hn::MulAdd(u0, v0, s00), s01 = hn::MulAdd(u0, v1, s01);
    s02 = hn::MulAdd(u0, v2, s02), s03 = hn::MulAdd(u0, v3, s03);
    s10 = hn::MulAdd(u1, v0, s10), s11 = hn::MulAdd(u1, v1, s11);
    s12 = hn::MulAdd(u1, v2, s12), s13 = hn::MulAdd(u1, v3, s13);
    const auto u2 = hn::Mul(weight, hn::Load(d, x2 + r)), u3 = hn::Mul(weight, hn::Load(d, x3 + r));
    s20 = hn::MulAdd(u2, v0, s20), s21 = hn::MulAdd(u2, v1, s21);
    s22 = hn::MulAdd(u2, v2, s22), s23 = hn::MulAdd(u2, v3, s23);
    s30 = hn::MulAdd(u3, v0, s30), s31 = hn::MulAdd(u3, v1, s31);
    s32 = hn::MulAdd(u3, v2, s32), s33 = hn::MulAdd(u3, v3, s33);
  }
  const auto add_row = [&](std::size_t row, auto s0, auto s1, auto s2, auto s3) HWY_ATTR {
    alignas(64) float lanes[4 * line_floats];
    hn::Store(s0, d, lanes), hn::Store(s1, d, lanes + n), hn::Store(s2, d, lanes + 2 * n);
    hn::Store(s3, d, lanes + 3 * n);
    double sums[4];
    reduce_four(lanes, n, sums);
    for (std::size_t i = 0; i < 4; ++i) m.add(row, q + i, sums[i]);
  };
  add_row(p, s00, s01, s02, s03), add_row(p + 1, s10, s11, s12, s13);
  add_row(p + 2, s20, s21, s22, s23), add_row(p + 3, s30, s31, s32, s33);
}

/// Adds the weighted products of a tile, summed over its rows, to gram: units x (units + 1 + outputs), where row p has
/// the products of the output of unit p with the output of every unit, with 1, and with every target. Entries below the
/// diagonal may be incomplete. columns: pointers to the outputs of the units, ones and targets.
HWY_ATTR inline void add_gram(const KernelBlock& b, const TileRows& rows, const float* const* columns, double* gram) {
  const GramArgs args{rows.weights, columns, b.units + 1 + b.outputs, rows.rows, gram};
  std::size_t p = 0;
  if (sums_in_float(b))
    for (; p + 4 <= b.units; p += 4)
      for (std::size_t q = p; q < args.count; q += 4) add_gram_4x4(args, p, q);
  for (; p + 2 <= b.units; p += 2)
    for (std::size_t q = p; q < args.count; q += 4)
      q + 2 < args.count ? add_gram_2x4(args, p, q) : add_gram_2x2(args, p, q);
  if (p < b.units)
    for (std::size_t q = p; q < args.count; q += 3) add_gram_1x3(args, p, q);
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
