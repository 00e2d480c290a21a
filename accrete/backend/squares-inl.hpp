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

/// gram[p * columns + q] += sum_r w[r] layer_p[r] layer_q[r], all in double where vectors of doubles are long. Where a
/// vector has two of them, up to short_run products of a lane are first added in float, which rounds no more than a
/// row's own numbers are rounded. A column beyond the last is computed as the last one and not kept.
inline constexpr std::size_t short_run = 4;
struct Products {
  const float* weights;
  const float* const* layer;
  std::size_t columns, rows;
  double* gram;

  const float* column(std::size_t q) const { return layer[std::min(q, columns - 1)]; }
  /// Rows come in multiples of lane_run: runs of short vectors are whole.
  std::size_t run_end(std::size_t first, std::size_t lanes) const {
    return short_run * lanes <= lane_run ? first + short_run * lanes : std::min(first + short_run * lanes, rows);
  }
  void add(std::size_t p, std::size_t q, double sum) const {
    if (q < columns) gram[p * columns + q] += sum;
  }
};

#if HWY_ARCH_ARM_A64 && HWY_TARGET == HWY_NEON
using ProductTag = hn::CappedTag<float, lane_run>;
HWY_ATTR HWY_INLINE auto load_factor(ProductTag d, const float* from) {
  return hn::Load(d, from);
}
/// total += a vector of floats, both halves of it.
template <class V, class W>
HWY_ATTR HWY_INLINE void add_run(V v, W& total) {
  total = hn::Add(total, hn::Add(W(vcvt_f64_f32(vget_low_f32(v.raw))), W(vcvt_high_f64_f32(v.raw))));
}
#else
using ProductTag = hn::CappedTag<double, lane_run / 2>;
HWY_ATTR HWY_INLINE auto load_factor(ProductTag d, const float* from) {
  return hn::PromoteTo(d, hn::Load(hn::Rebind<float, ProductTag>(), from));
}
template <class V>
HWY_ATTR HWY_INLINE void add_run(V v, V& total) {
  total = hn::Add(total, v);
}
#endif

/// For p, p + 1 and q .. q + 3.
HWY_ATTR inline void add_two_by_four(const Products& m, std::size_t p, std::size_t q) {
  const ProductTag d;
  const hn::CappedTag<double, lane_run / 2> wide;
  const std::size_t n = hn::Lanes(d);
  const float *w = m.weights, *x0 = m.layer[p], *x1 = m.layer[p + 1];
  const float *y0 = m.column(q), *y1 = m.column(q + 1), *y2 = m.column(q + 2), *y3 = m.column(q + 3);
  auto t00 = hn::Zero(wide), t01 = t00, t02 = t00, t03 = t00, t10 = t00, t11 = t00, t12 = t00, t13 = t00;
  for (std::size_t first = 0; first < m.rows; first += short_run * n) {
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
    add_run(s00, t00), add_run(s01, t01), add_run(s02, t02), add_run(s03, t03);
    add_run(s10, t10), add_run(s11, t11), add_run(s12, t12), add_run(s13, t13);
  }
  const auto total = [&](auto t) HWY_ATTR { return hn::GetLane(hn::SumOfLanes(wide, t)); };
  m.add(p, q, total(t00)), m.add(p, q + 1, total(t01)), m.add(p, q + 2, total(t02)), m.add(p, q + 3, total(t03));
  m.add(p + 1, q, total(t10)), m.add(p + 1, q + 1, total(t11));
  m.add(p + 1, q + 2, total(t12)), m.add(p + 1, q + 3, total(t13));
}

/// For p, p + 1 and q, q + 1.
HWY_ATTR inline void add_two_by_two(const Products& m, std::size_t p, std::size_t q) {
  const ProductTag d;
  const hn::CappedTag<double, lane_run / 2> wide;
  const std::size_t n = hn::Lanes(d);
  const float *w = m.weights, *x0 = m.layer[p], *x1 = m.layer[p + 1], *y0 = m.column(q), *y1 = m.column(q + 1);
  auto t00 = hn::Zero(wide), t01 = t00, t10 = t00, t11 = t00;
  for (std::size_t first = 0; first < m.rows; first += short_run * n) {
    auto s00 = hn::Zero(d), s01 = s00, s10 = s00, s11 = s00;
    for (std::size_t r = first; r < m.run_end(first, n); r += n) {
      const auto weight = load_factor(d, w + r);
      const auto u0 = hn::Mul(weight, load_factor(d, x0 + r)), u1 = hn::Mul(weight, load_factor(d, x1 + r));
      const auto v0 = load_factor(d, y0 + r), v1 = load_factor(d, y1 + r);
      s00 = hn::MulAdd(u0, v0, s00), s01 = hn::MulAdd(u0, v1, s01);
      s10 = hn::MulAdd(u1, v0, s10), s11 = hn::MulAdd(u1, v1, s11);
    }
    add_run(s00, t00), add_run(s01, t01), add_run(s10, t10), add_run(s11, t11);
  }
  const auto total = [&](auto t) HWY_ATTR { return hn::GetLane(hn::SumOfLanes(wide, t)); };
  m.add(p, q, total(t00)), m.add(p, q + 1, total(t01));
  m.add(p + 1, q, total(t10)), m.add(p + 1, q + 1, total(t11));
}

/// For p alone and q .. q + 2: a single unit's products with itself, 1 and a target are one such block.
HWY_ATTR inline void add_one_by_three(const Products& m, std::size_t p, std::size_t q) {
  const ProductTag d;
  const hn::CappedTag<double, lane_run / 2> wide;
  const std::size_t n = hn::Lanes(d);
  const float *w = m.weights, *x = m.layer[p];
  const float *y0 = m.column(q), *y1 = m.column(q + 1), *y2 = m.column(q + 2);
  auto t0 = hn::Zero(wide), t1 = t0, t2 = t0;
  for (std::size_t first = 0; first < m.rows; first += short_run * n) {
    auto s0 = hn::Zero(d), s1 = s0, s2 = s0;
    for (std::size_t r = first; r < m.run_end(first, n); r += n) {
      const auto u = hn::Mul(load_factor(d, w + r), load_factor(d, x + r));
      s0 = hn::MulAdd(u, load_factor(d, y0 + r), s0), s1 = hn::MulAdd(u, load_factor(d, y1 + r), s1);
      s2 = hn::MulAdd(u, load_factor(d, y2 + r), s2);
    }
    add_run(s0, t0), add_run(s1, t1), add_run(s2, t2);
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
    for (std::size_t q = p; q < products.columns; q += 4)
      q + 2 < products.columns ? add_two_by_four(products, p, q) : add_two_by_two(products, p, q);
  if (p < b.units)
    for (std::size_t q = p; q < products.columns; q += 3) add_one_by_three(products, p, q);
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
