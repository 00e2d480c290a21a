// Squared error over a tile, for the kernels, once per instruction set: the errors of a linear output layer, and the
// normal equations of the best one.

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

/// errors_k = w (out_k - target_k); returns half the weighted sum of squares. The squares of a lane are added in float
/// within a line of lane_run rows, then in double.
HWY_ATTR inline double squared_errors(const TileBlock& b, const TileRows& rows, const float* out, float* errors) {
  const hn::CappedTag<float, lane_run> d;
  const hn::CappedTag<double, lane_run / 2> wide;
  auto sum0 = hn::Zero(wide), sum1 = sum0;
  for (std::size_t k = 0; k < b.outputs; ++k) {
    const std::size_t at = k * b.tile_rows;
    for (std::size_t line = 0; line < rows.rows; line += lane_run) {
      auto squares = hn::Zero(d);
      for (std::size_t r = line; r < line + lane_run; r += hn::Lanes(d)) {
        const auto e = hn::Sub(hn::Load(d, out + at + r), hn::Load(d, rows.targets + at + r));
        const auto weighted = hn::Mul(e, hn::Load(d, rows.weights + r));
        hn::Store(weighted, d, errors + at + r);
        squares = hn::MulAdd(e, weighted, squares);
      }
      add_halves(squares, sum0, sum1);
    }
  }
  return 0.5 * hn::GetLane(hn::SumOfLanes(wide, hn::Add(sum0, sum1)));
}

/// sums[p * columns + q] += left_p . right_q: left in double, right widened on the way. A column beyond the last is
/// computed as the last one and not kept.
struct Products {
  const double* left;  ///< lefts x stride
  std::size_t lefts;
  const float* const* right;
  std::size_t columns, rows, stride;
  double* sums;
};

/// For p, p + 1 and q, q + 1.
HWY_ATTR inline void add_two_by_two(const Products& m, std::size_t p, std::size_t q) {
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<float, decltype(d)> narrow;
  const std::size_t n = hn::Lanes(d);
  const bool second = q + 1 < m.columns;
  const double* x0 = m.left + p * m.stride;
  const double* x1 = x0 + m.stride;
  const float* y0 = m.right[q];
  const float* y1 = second ? m.right[q + 1] : y0;
  auto s00 = hn::Zero(d), s01 = s00, s10 = s00, s11 = s00, t00 = s00, t01 = s00, t10 = s00, t11 = s00;
  for (std::size_t r = 0; r < m.rows; r += 2 * n) {
    const auto u0 = hn::Load(d, x0 + r), u1 = hn::Load(d, x1 + r);
    const auto v0 = hn::PromoteTo(d, hn::Load(narrow, y0 + r)), v1 = hn::PromoteTo(d, hn::Load(narrow, y1 + r));
    s00 = hn::MulAdd(u0, v0, s00), s01 = hn::MulAdd(u0, v1, s01);
    s10 = hn::MulAdd(u1, v0, s10), s11 = hn::MulAdd(u1, v1, s11);
    const auto w0 = hn::Load(d, x0 + r + n), w1 = hn::Load(d, x1 + r + n);
    const auto z0 = hn::PromoteTo(d, hn::Load(narrow, y0 + r + n)), z1 = hn::PromoteTo(d, hn::Load(narrow, y1 + r + n));
    t00 = hn::MulAdd(w0, z0, t00), t01 = hn::MulAdd(w0, z1, t01);
    t10 = hn::MulAdd(w1, z0, t10), t11 = hn::MulAdd(w1, z1, t11);
  }
  double* sum = m.sums + p * m.columns + q;
  sum[0] += hn::GetLane(hn::SumOfLanes(d, hn::Add(s00, t00)));
  sum[m.columns] += hn::GetLane(hn::SumOfLanes(d, hn::Add(s10, t10)));
  if (!second) return;
  sum[1] += hn::GetLane(hn::SumOfLanes(d, hn::Add(s01, t01)));
  sum[m.columns + 1] += hn::GetLane(hn::SumOfLanes(d, hn::Add(s11, t11)));
}

/// The same for p alone and q .. q + 3.
HWY_ATTR inline void add_one_by_four(const Products& m, std::size_t p, std::size_t q) {
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<float, decltype(d)> narrow;
  const std::size_t n = hn::Lanes(d), last = m.columns - 1;
  const double* x = m.left + p * m.stride;
  const float* y0 = m.right[q];
  const float* y1 = m.right[std::min(q + 1, last)];
  const float* y2 = m.right[std::min(q + 2, last)];
  const float* y3 = m.right[std::min(q + 3, last)];
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
  for (std::size_t r = 0; r < m.rows; r += n) {
    const auto v = hn::Load(d, x + r);
    s0 = hn::MulAdd(v, hn::PromoteTo(d, hn::Load(narrow, y0 + r)), s0);
    s1 = hn::MulAdd(v, hn::PromoteTo(d, hn::Load(narrow, y1 + r)), s1);
    s2 = hn::MulAdd(v, hn::PromoteTo(d, hn::Load(narrow, y2 + r)), s2);
    s3 = hn::MulAdd(v, hn::PromoteTo(d, hn::Load(narrow, y3 + r)), s3);
  }
  double* sum = m.sums + p * m.columns + q;
  sum[0] += hn::GetLane(hn::SumOfLanes(d, s0));
  if (q + 1 <= last) sum[1] += hn::GetLane(hn::SumOfLanes(d, s1));
  if (q + 2 <= last) sum[2] += hn::GetLane(hn::SumOfLanes(d, s2));
  if (q + 3 <= last) sum[3] += hn::GetLane(hn::SumOfLanes(d, s3));
}

/// The products of a single unit, whose two equations are never ill-conditioned beyond its own rounding: up to eight
/// products of a lane are added in float, then all in double. Columns: the unit, 1 and the targets, three at a time.
HWY_ATTR inline void add_gram_of_one(const TileRows& rows, const float* const* layer, std::size_t columns,
                                     double* gram) {
  const hn::CappedTag<float, lane_run> d;
  const hn::CappedTag<double, lane_run / 2> wide;
  const std::size_t n = hn::Lanes(d), last = columns - 1;
  for (std::size_t q = 0; q < columns; q += 3) {
    const float* y0 = layer[q];
    const float* y1 = layer[std::min(q + 1, last)];
    const float* y2 = layer[std::min(q + 2, last)];
    auto t00 = hn::Zero(wide), t01 = t00, t10 = t00, t11 = t00, t20 = t00, t21 = t00;
    for (std::size_t first = 0; first < rows.rows; first += 8 * n) {
      auto s0 = hn::Zero(d), s1 = s0, s2 = s0;
      for (std::size_t r = first; r < std::min(first + 8 * n, rows.rows); r += n) {
        const auto v = hn::Mul(hn::Load(d, rows.weights + r), hn::Load(d, layer[0] + r));
        s0 = hn::MulAdd(v, hn::Load(d, y0 + r), s0), s1 = hn::MulAdd(v, hn::Load(d, y1 + r), s1);
        s2 = hn::MulAdd(v, hn::Load(d, y2 + r), s2);
      }
      add_halves(s0, t00, t01), add_halves(s1, t10, t11), add_halves(s2, t20, t21);
    }
    gram[q] += hn::GetLane(hn::SumOfLanes(wide, hn::Add(t00, t01)));
    if (q + 1 <= last) gram[q + 1] += hn::GetLane(hn::SumOfLanes(wide, hn::Add(t10, t11)));
    if (q + 2 <= last) gram[q + 2] += hn::GetLane(hn::SumOfLanes(wide, hn::Add(t20, t21)));
  }
}

/// Adds the weighted products of the hidden outputs with themselves, 1 and the targets: gram is units x (units + 1 +
/// outputs), of the square part the upper triangle at least. layer: pointers to the units, to ones and to the targets.
/// wide: units x tile_rows.
HWY_ATTR inline void add_gram(const TileBlock& b, const TileRows& rows, const float* const* layer, double* wide,
                              double* gram) {
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<float, decltype(d)> narrow;
  const std::size_t t = b.tile_rows, columns = b.units + 1 + b.outputs;
  if (b.units == 1) return add_gram_of_one(rows, layer, columns, gram);
  for (std::size_t p = 0; p < b.units; ++p)
    for (std::size_t r = 0; r < rows.rows; r += hn::Lanes(d))
      hn::Store(hn::Mul(hn::PromoteTo(d, hn::Load(narrow, rows.weights + r)),
                        hn::PromoteTo(d, hn::Load(narrow, layer[p] + r))),
                d, wide + p * t + r);
  const Products products{wide, b.units, layer, columns, rows.rows, t, gram};
  std::size_t p = 0;
  for (; p + 2 <= b.units; p += 2)
    for (std::size_t q = p; q < columns; q += 2) add_two_by_two(products, p, q);
  if (p < b.units)
    for (std::size_t q = p; q < columns; q += 4) add_one_by_four(products, p, q);
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
