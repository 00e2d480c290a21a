// Squared error over a tile, for the kernels, once per instruction set: the errors of a linear output layer in one
// pass, and the normal equations of the best one.

#if defined(ACCRETE_BACKEND_SQUARES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_BACKEND_SQUARES_INL_HPP
#undef ACCRETE_BACKEND_SQUARES_INL_HPP
#else
#define ACCRETE_BACKEND_SQUARES_INL_HPP
#endif

#include <cstddef>

#include "accrete/backend/evaluate_kernel.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// errors_k = w (bias_k + sum_j weight_kj a_j - target_k); returns half the weighted sum of squares. Products are
/// rounded to float and added in double.
HWY_ATTR inline double squared_errors(const TileBlock& b, const TileRows& rows, const float* hidden, float* errors) {
  const hn::CappedTag<float, lane_run> d;
  const hn::CappedTag<double, lane_run / 2> wide;
  const hn::Rebind<float, decltype(wide)> narrow;
  const std::size_t t = b.tile_rows;
  HWY_ALIGN float square[lane_run];  // vectors of unknown length are cut in two through memory
  auto sum0 = hn::Zero(wide), sum1 = sum0;
  for (std::size_t k = 0; k < b.outputs; ++k) {
    const float* w = b.output_weights + k * b.units;
    const float* target = rows.targets + k * t;
    float* error = errors + k * t;
    for (std::size_t r = 0; r < rows.rows; r += hn::Lanes(d)) {
      auto e = hn::Sub(hn::Set(d, b.output_bias[k]), hn::Load(d, target + r));
      for (std::size_t j = 0; j < b.units; ++j) e = hn::MulAdd(hn::Set(d, w[j]), hn::Load(d, hidden + j * t + r), e);
      const auto weighted = hn::Mul(e, hn::Load(d, rows.weights + r));
      hn::Store(weighted, d, error + r);
      hn::Store(hn::Mul(e, weighted), d, square);
      sum0 = hn::Add(sum0, hn::PromoteTo(wide, hn::Load(narrow, square)));
      if (hn::Lanes(d) > hn::Lanes(wide))
        sum1 = hn::Add(sum1, hn::PromoteTo(wide, hn::Load(narrow, square + hn::Lanes(wide))));
    }
  }
  return 0.5 * hn::GetLane(hn::SumOfLanes(wide, hn::Add(sum0, sum1)));
}

/// sums[p * columns + q] += left_p . right_q for p, p + 1 and q, q + 1: left in double, right widened on the way.
/// An index beyond the last is computed as the last one and not kept.
struct Products {
  const double* left;  ///< lefts x stride
  std::size_t lefts;
  const float* const* right;
  std::size_t columns, rows, stride;
  double* sums;
};

HWY_ATTR inline void add_two_by_two(const Products& m, std::size_t p, std::size_t q) {
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<float, decltype(d)> narrow;
  const std::size_t n = hn::Lanes(d);
  const bool second_p = p + 1 < m.lefts, second_q = q + 1 < m.columns;
  const double* x0 = m.left + p * m.stride;
  const double* x1 = second_p ? x0 + m.stride : x0;
  const float* y0 = m.right[q];
  const float* y1 = second_q ? m.right[q + 1] : y0;
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
  if (second_q) sum[1] += hn::GetLane(hn::SumOfLanes(d, hn::Add(s01, t01)));
  if (!second_p) return;
  sum[m.columns] += hn::GetLane(hn::SumOfLanes(d, hn::Add(s10, t10)));
  if (second_q) sum[m.columns + 1] += hn::GetLane(hn::SumOfLanes(d, hn::Add(s11, t11)));
}

/// Adds the weighted products of the hidden outputs and 1 with themselves and the targets, in double: gram is
/// (units + 1) x (units + 1 + outputs), of the square part the upper triangle at least. layer: pointers to the units,
/// to ones and to the targets. wide: (units + 1) x tile_rows.
HWY_ATTR inline void add_gram(const TileBlock& b, const TileRows& rows, const float* const* layer, double* wide,
                              double* gram) {
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<float, decltype(d)> narrow;
  const std::size_t t = b.tile_rows, n = b.units + 1;
  for (std::size_t p = 0; p < n; ++p)
    for (std::size_t r = 0; r < rows.rows; r += hn::Lanes(d)) {
      const auto w = hn::PromoteTo(d, hn::Load(narrow, rows.weights + r));
      hn::Store(p < b.units ? hn::Mul(w, hn::PromoteTo(d, hn::Load(narrow, layer[p] + r))) : w, d, wide + p * t + r);
    }
  const Products products{wide, n, layer, n + b.outputs, rows.rows, t, gram};
  for (std::size_t p = 0; p < n; p += 2)
    for (std::size_t q = p; q < n + b.outputs; q += 2) add_two_by_two(products, p, q);
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
