#include "accrete/backend/curvature.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accrete/backend/kernels/curvature_kernel.cpp"
#include "hwy/foreach_target.h"
// Everything below is compiled once per instruction set.
#include <algorithm>
#include <cmath>

#include "accrete/activation/list.hpp"
#include "accrete/data/encoder/ramp-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using FloatTag = hn::CappedTag<float, line_floats>;

/// Writes the columns [A, Z] of a tile, each row multiplied by the square root of its weight.
void write_columns(const CurvatureScratch& scratch, const CurvatureTile& tile) {
  const BlockShape& s = scratch.shape;
  const std::size_t t = scratch.tile_rows, rows = tile.rows;
  data::HWY_NAMESPACE::point_at_features({scratch.features.data(), s.features, t}, tile.x, rows, scratch.inputs,
                                         scratch.ramps);
  float* __restrict roots = scratch.columns + s.units * t;  // the column of ones in A, weighted
  for (std::size_t r = 0; r < rows; ++r) roots[r] = std::sqrt(tile.weights[r]);
  float* z = scratch.columns + (s.units + 1) * t;
  activation::All::visit(scratch.activation, [&](auto formula) {
    for (std::size_t j = 0; j < s.units; ++j) {
      const float* __restrict a = tile.hidden + j * t;
      float* __restrict column = scratch.columns + j * t;
      float* __restrict slopes = z + (s.hidden_bias_at() + j) * t;
      for (std::size_t r = 0; r < rows; ++r) column[r] = roots[r] * a[r], slopes[r] = roots[r] * formula.slope(a[r]);
      for (std::size_t i = 0; i < s.features; ++i) {
        const float* __restrict x = scratch.inputs[i];
        float* __restrict to = z + (j * s.features + i) * t;
        for (std::size_t r = 0; r < rows; ++r) to[r] = slopes[r] * x[r];
      }
    }
  });
}

/// Adds the dot products of columns p .. p + 3 with columns q .. q + 3. Indices past the last column read the last
/// column, and their results are dropped.
HWY_ATTR void add_products_4x4(const CurvatureScratch& scratch, std::size_t rows, std::size_t p, std::size_t q,
                               double* products) {
  const FloatTag d;
  const std::size_t n = hn::Lanes(d), t = scratch.tile_rows, columns = curvature_columns(scratch.shape);
  const auto column = [&](std::size_t i) { return scratch.columns + std::min(i, columns - 1) * t; };
  const float *x0 = column(p), *x1 = column(p + 1), *x2 = column(p + 2), *x3 = column(p + 3);
  const float *y0 = column(q), *y1 = column(q + 1), *y2 = column(q + 2), *y3 = column(q + 3);
  auto s00 = hn::Zero(d), s01 = s00, s02 = s00, s03 = s00, s10 = s00, s11 = s00, s12 = s00, s13 = s00;
  auto s20 = s00, s21 = s00, s22 = s00, s23 = s00, s30 = s00, s31 = s00, s32 = s00, s33 = s00;
  for (std::size_t r = 0; r < rows; r += n) {
    const auto u0 = hn::Load(d, x0 + r), u1 = hn::Load(d, x1 + r), u2 = hn::Load(d, x2 + r), u3 = hn::Load(d, x3 + r);
    const auto v0 = hn::Load(d, y0 + r), v1 = hn::Load(d, y1 + r), v2 = hn::Load(d, y2 + r), v3 = hn::Load(d, y3 + r);
    s00 = hn::MulAdd(u0, v0, s00), s01 = hn::MulAdd(u0, v1, s01), s02 = hn::MulAdd(u0, v2, s02);
    s03 = hn::MulAdd(u0, v3, s03), s10 = hn::MulAdd(u1, v0, s10), s11 = hn::MulAdd(u1, v1, s11);
    s12 = hn::MulAdd(u1, v2, s12), s13 = hn::MulAdd(u1, v3, s13), s20 = hn::MulAdd(u2, v0, s20);
    s21 = hn::MulAdd(u2, v1, s21), s22 = hn::MulAdd(u2, v2, s22), s23 = hn::MulAdd(u2, v3, s23);
    s30 = hn::MulAdd(u3, v0, s30), s31 = hn::MulAdd(u3, v1, s31), s32 = hn::MulAdd(u3, v2, s32);
    s33 = hn::MulAdd(u3, v3, s33);
  }
  const auto add = [&](std::size_t i, std::size_t j, auto sum) HWY_ATTR {
    if (p + i < columns && q + j < columns) products[(p + i) * columns + q + j] += hn::GetLane(hn::SumOfLanes(d, sum));
  };
  add(0, 0, s00), add(0, 1, s01), add(0, 2, s02), add(0, 3, s03);
  add(1, 0, s10), add(1, 1, s11), add(1, 2, s12), add(1, 3, s13);
  add(2, 0, s20), add(2, 1, s21), add(2, 2, s22), add(2, 3, s23);
  add(3, 0, s30), add(3, 1, s31), add(3, 2, s32), add(3, 3, s33);
}

void add_products(const CurvatureScratch& scratch, const CurvatureTile& tile, double* products) {
  write_columns(scratch, tile);
  const std::size_t columns = curvature_columns(scratch.shape);
  for (std::size_t p = 0; p < columns; p += 4)
    for (std::size_t q = p; q < columns; q += 4) add_products_4x4(scratch, tile.rows, p, q, products);
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::backend {

HWY_EXPORT(add_products);

void add_curvature_products(const CurvatureScratch& scratch, const CurvatureTile& tile, double* products) {
  HWY_DYNAMIC_DISPATCH(add_products)(scratch, tile, products);
}

}  // namespace accrete::backend
#endif
