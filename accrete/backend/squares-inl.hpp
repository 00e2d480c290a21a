// The normal equations of the best linear output layer over a tile, once per instruction set.

#if defined(ACCRETE_BACKEND_SQUARES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_BACKEND_SQUARES_INL_HPP
#undef ACCRETE_BACKEND_SQUARES_INL_HPP
#else
#define ACCRETE_BACKEND_SQUARES_INL_HPP
#endif

#include <algorithm>
#include <cstddef>

#include "accrete/backend/evaluate_kernel.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// total0 and total1 += the two halves of a vector of floats, cut in two through memory, since its length may be
/// unknown.
template <class V, class W>
HWY_ATTR HWY_INLINE void add_halves(V v, W& total0, W& total1) {
  const hn::CappedTag<float, lane_run> d;
  const hn::CappedTag<double, lane_run / 2> wide;
  const hn::Rebind<float, decltype(wide)> narrow;
  HWY_ALIGN float lanes[lane_run];
  hn::Store(v, d, lanes);
  total0 = hn::Add(total0, hn::PromoteTo(wide, hn::Load(narrow, lanes)));
  if (hn::Lanes(d) > hn::Lanes(wide))
    total1 = hn::Add(total1, hn::PromoteTo(wide, hn::Load(narrow, lanes + hn::Lanes(wide))));
}

/// gram[p * columns + q] += sum_r w[r] layer_p[r] layer_q[r]. Up to short_run products of a lane are added in float,
/// which rounds no more than a row's own numbers are rounded, then all in double. A column beyond the last is computed
/// as the last one and not kept.
struct Products {
  const float* weights;
  const float* const* layer;
  std::size_t columns, rows;
  double* gram;

  const float* column(std::size_t q) const { return layer[std::min(q, columns - 1)]; }
  void add(std::size_t p, std::size_t q, double sum) const {
    if (q < columns) gram[p * columns + q] += sum;
  }
};
inline constexpr std::size_t short_run = 4;

/// total += a vector of floats, both halves of it.
template <class V, class W>
HWY_ATTR HWY_INLINE void add_both_halves(V v, W& total) {
  auto upper = hn::Zero(hn::CappedTag<double, lane_run / 2>());
  add_halves(v, total, upper);
  total = hn::Add(total, upper);
}

/// For p, p + 1 and q .. q + 3.
HWY_ATTR inline void add_two_by_four(const Products& m, std::size_t p, std::size_t q) {
  const hn::CappedTag<float, lane_run> d;
  const hn::CappedTag<double, lane_run / 2> wide;
  const std::size_t n = hn::Lanes(d);
  const float *w = m.weights, *x0 = m.layer[p], *x1 = m.layer[p + 1];
  const float *y0 = m.column(q), *y1 = m.column(q + 1), *y2 = m.column(q + 2), *y3 = m.column(q + 3);
  auto t00 = hn::Zero(wide), t01 = t00, t02 = t00, t03 = t00, t10 = t00, t11 = t00, t12 = t00, t13 = t00;
  for (std::size_t first = 0; first < m.rows; first += short_run * n) {
    auto s00 = hn::Zero(d), s01 = s00, s02 = s00, s03 = s00, s10 = s00, s11 = s00, s12 = s00, s13 = s00;
    for (std::size_t r = first; r < std::min(first + short_run * n, m.rows); r += n) {
      const auto weight = hn::Load(d, w + r);
      const auto u0 = hn::Mul(weight, hn::Load(d, x0 + r)), u1 = hn::Mul(weight, hn::Load(d, x1 + r));
      const auto v0 = hn::Load(d, y0 + r), v1 = hn::Load(d, y1 + r);
      const auto v2 = hn::Load(d, y2 + r), v3 = hn::Load(d, y3 + r);
      s00 = hn::MulAdd(u0, v0, s00), s01 = hn::MulAdd(u0, v1, s01);
      s02 = hn::MulAdd(u0, v2, s02), s03 = hn::MulAdd(u0, v3, s03);
      s10 = hn::MulAdd(u1, v0, s10), s11 = hn::MulAdd(u1, v1, s11);
      s12 = hn::MulAdd(u1, v2, s12), s13 = hn::MulAdd(u1, v3, s13);
    }
    add_both_halves(s00, t00), add_both_halves(s01, t01), add_both_halves(s02, t02), add_both_halves(s03, t03);
    add_both_halves(s10, t10), add_both_halves(s11, t11), add_both_halves(s12, t12), add_both_halves(s13, t13);
  }
  const auto total = [&](auto t) HWY_ATTR { return hn::GetLane(hn::SumOfLanes(wide, t)); };
  m.add(p, q, total(t00)), m.add(p, q + 1, total(t01)), m.add(p, q + 2, total(t02)), m.add(p, q + 3, total(t03));
  m.add(p + 1, q, total(t10)), m.add(p + 1, q + 1, total(t11));
  m.add(p + 1, q + 2, total(t12)), m.add(p + 1, q + 3, total(t13));
}

/// For p alone and q .. q + 2: a single unit's products with itself, 1 and a target are one such block.
HWY_ATTR inline void add_one_by_three(const Products& m, std::size_t p, std::size_t q) {
  const hn::CappedTag<float, lane_run> d;
  const hn::CappedTag<double, lane_run / 2> wide;
  const std::size_t n = hn::Lanes(d);
  const float *w = m.weights, *x = m.layer[p];
  const float *y0 = m.column(q), *y1 = m.column(q + 1), *y2 = m.column(q + 2);
  auto t0 = hn::Zero(wide), t1 = t0, t2 = t0;
  for (std::size_t first = 0; first < m.rows; first += short_run * n) {
    auto s0 = hn::Zero(d), s1 = s0, s2 = s0;
    for (std::size_t r = first; r < std::min(first + short_run * n, m.rows); r += n) {
      const auto u = hn::Mul(hn::Load(d, w + r), hn::Load(d, x + r));
      s0 = hn::MulAdd(u, hn::Load(d, y0 + r), s0), s1 = hn::MulAdd(u, hn::Load(d, y1 + r), s1);
      s2 = hn::MulAdd(u, hn::Load(d, y2 + r), s2);
    }
    add_both_halves(s0, t0), add_both_halves(s1, t1), add_both_halves(s2, t2);
  }
  const auto total = [&](auto t) HWY_ATTR { return hn::GetLane(hn::SumOfLanes(wide, t)); };
  m.add(p, q, total(t0)), m.add(p, q + 1, total(t1)), m.add(p, q + 2, total(t2));
}

/// Adds the weighted products of the hidden outputs with themselves, 1 and the targets: gram is units x (units + 1 +
/// outputs), of the square part the upper triangle at least. layer: pointers to the units, to ones and to the targets.
HWY_ATTR inline void add_gram(const TileBlock& b, const TileRows& rows, const float* const* layer, double* gram) {
  const Products products{rows.weights, layer, b.units + 1 + b.outputs, rows.rows, gram};
  std::size_t p = 0;
  for (; p + 2 <= b.units; p += 2)
    for (std::size_t q = p; q < products.columns; q += 4) add_two_by_four(products, p, q);
  if (p < b.units)
    for (std::size_t q = p; q < products.columns; q += 3) add_one_by_three(products, p, q);
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
