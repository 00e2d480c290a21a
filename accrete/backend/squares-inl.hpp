// Squared error over a tile, for the kernels, once per instruction set: the errors of a linear output layer in one
// pass, and the normal equations of the best one.

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

/// errors_k = w (bias_k + sum_j weight_kj a_j - target_k); returns half the weighted sum of squares. Products are
/// rounded to float and added in double.
HWY_ATTR inline double squared_errors(const TileBlock& b, const TileRows& rows, const float* hidden, float* errors) {
  const hn::CappedTag<double, 8> wide;
  const hn::Rebind<float, decltype(wide)> d;  // as many floats as doubles: half a vector of them, or a whole one
  const std::size_t n = hn::Lanes(d), t = b.tile_rows;
  auto sum0 = hn::Zero(wide), sum1 = sum0;
  for (std::size_t k = 0; k < b.outputs; ++k) {
    const float* w = b.output_weights + k * b.units;
    const float* target = rows.targets + k * t;
    float* error = errors + k * t;
    for (std::size_t r = 0; r < rows.rows; r += 2 * n) {
      auto e0 = hn::Sub(hn::Set(d, b.output_bias[k]), hn::Load(d, target + r));
      auto e1 = hn::Sub(hn::Set(d, b.output_bias[k]), hn::Load(d, target + r + n));
      for (std::size_t j = 0; j < b.units; ++j) {
        const auto v = hn::Set(d, w[j]);
        e0 = hn::MulAdd(v, hn::Load(d, hidden + j * t + r), e0);
        e1 = hn::MulAdd(v, hn::Load(d, hidden + j * t + r + n), e1);
      }
      const auto w0 = hn::Mul(e0, hn::Load(d, rows.weights + r)), w1 = hn::Mul(e1, hn::Load(d, rows.weights + r + n));
      hn::Store(w0, d, error + r), hn::Store(w1, d, error + r + n);
      sum0 = hn::Add(sum0, hn::PromoteTo(wide, hn::Mul(e0, w0)));
      sum1 = hn::Add(sum1, hn::PromoteTo(wide, hn::Mul(e1, w1)));
    }
  }
  return 0.5 * hn::GetLane(hn::SumOfLanes(wide, hn::Add(sum0, sum1)));
}

/// Adds the weighted products of the hidden outputs with each other, with 1 and with the targets, in double: gram is
/// (units + 1) x (units + 1 + outputs), upper triangle of the square part only. wide_room: (units + outputs) x
/// tile_rows doubles.
HWY_ATTR inline void add_gram(const TileBlock& b, const TileRows& rows, const float* hidden, double* wide_room,
                              double* gram) {
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<float, decltype(d)> narrow;
  const std::size_t n = hn::Lanes(d), t = b.tile_rows, units = b.units, columns = units + 1 + b.outputs;
  for (std::size_t c = 0; c < units + b.outputs; ++c) {
    const float* from = c < units ? hidden + c * t : rows.targets + (c - units) * t;
    for (std::size_t r = 0; r < rows.rows; r += n)
      hn::Store(hn::PromoteTo(d, hn::Load(narrow, from + r)), d, wide_room + c * t + r);
  }
  // Row p of the gram: unit p times its weights, against the units from p on, 1, and the targets; then row `units`.
  for (std::size_t p = 0; p <= units; ++p) {
    double* row = gram + p * columns;
    auto total = hn::Zero(d);
    for (std::size_t q = p; q < units + b.outputs; q += 4) {
      const std::size_t last = units + b.outputs - 1;  // a column beyond the last is computed again and not used
      const double* x0 = wide_room + q * t;
      const double* x1 = wide_room + std::min(q + 1, last) * t;
      const double* x2 = wide_room + std::min(q + 2, last) * t;
      const double* x3 = wide_room + std::min(q + 3, last) * t;
      auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
      total = s0;
      for (std::size_t r = 0; r < rows.rows; r += n) {
        auto v = hn::PromoteTo(d, hn::Load(narrow, rows.weights + r));
        if (p < units) v = hn::Mul(v, hn::Load(d, wide_room + p * t + r));
        total = hn::Add(total, v);
        s0 = hn::MulAdd(v, hn::Load(d, x0 + r), s0), s1 = hn::MulAdd(v, hn::Load(d, x1 + r), s1);
        s2 = hn::MulAdd(v, hn::Load(d, x2 + r), s2), s3 = hn::MulAdd(v, hn::Load(d, x3 + r), s3);
      }
      const auto put = [&](std::size_t column, auto sum) HWY_ATTR {
        if (column > last) return;
        row[column < units ? column : column + 1] += hn::GetLane(hn::SumOfLanes(d, sum));
      };
      put(q, s0), put(q + 1, s1), put(q + 2, s2), put(q + 3, s3);
    }
    row[units] += hn::GetLane(hn::SumOfLanes(d, total));
  }
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
