// What lies between a block's two layers, over a tile, once per instruction set: the squared errors of a linear output
// layer, and what goes back through a single output. Where features are few these passes cost as much as the products
// with them, so each does what it can with a number it has loaded. Four vectors of rows go side by side, since each is
// a chain.

#if defined(ACCRETE_BACKEND_OUTPUT_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_BACKEND_OUTPUT_INL_HPP
#undef ACCRETE_BACKEND_OUTPUT_INL_HPP
#else
#define ACCRETE_BACKEND_OUTPUT_INL_HPP
#endif

#include <cstddef>

#include "accrete/backend/accumulate-inl.hpp"
#include "accrete/backend/evaluate_kernel.hpp"
#include "accrete/backend/squares-inl.hpp"
#include "accrete/network/activate-inl.hpp"
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

using RowTag = network::HWY_NAMESPACE::UnitTag;
using RowVector = network::HWY_NAMESPACE::UnitVector;

HWY_ATTR HWY_INLINE void add_to(float* sums, RowVector v) {
  const RowTag d;
  hn::Store(hn::Add(hn::Load(d, sums), v), d, sums);
}

/// errors = w (bias + sum_j weight_j hidden_j - target) for every output, and their sums into the places of the output
/// biases; returns half the weighted sum of squares, those of a lane added in float over the outputs of four vectors of
/// rows, then in double.
HWY_ATTR inline double squared_errors(const TileBlock& b, const TileRows& rows, const float* hidden,
                                      const TileScratch& s) {
  const RowTag d;
  const hn::CappedTag<double, lane_run / 2> wide;
  const std::size_t n = hn::Lanes(d), t = b.tile_rows, units = b.units, outputs = b.outputs;
  float* sums = s.output_sums + units * outputs * sum_lanes();
  auto total0 = hn::Zero(wide), total1 = total0;
  std::size_t r = 0;
  for (; r + 4 * n <= rows.rows; r += 4 * n) {
    const float *w = rows.weights + r, *weights = b.output_weights;
    auto squares0 = hn::Zero(d), squares1 = squares0;
    for (std::size_t k = 0; k < outputs; ++k) {
      const float *y = rows.targets + k * t + r, *a = hidden + r;
      const auto bias = hn::Set(d, b.output_bias[k]);
      auto e0 = hn::Sub(bias, hn::Load(d, y)), e1 = hn::Sub(bias, hn::Load(d, y + n));
      auto e2 = hn::Sub(bias, hn::Load(d, y + 2 * n)), e3 = hn::Sub(bias, hn::Load(d, y + 3 * n));
      for (std::size_t j = 0; j < units; ++j, a += t) {
        const auto v = hn::Set(d, *weights++);
        e0 = hn::MulAdd(v, hn::Load(d, a), e0), e1 = hn::MulAdd(v, hn::Load(d, a + n), e1);
        e2 = hn::MulAdd(v, hn::Load(d, a + 2 * n), e2), e3 = hn::MulAdd(v, hn::Load(d, a + 3 * n), e3);
      }
      const auto w0 = hn::Mul(e0, hn::Load(d, w)), w1 = hn::Mul(e1, hn::Load(d, w + n));
      const auto w2 = hn::Mul(e2, hn::Load(d, w + 2 * n)), w3 = hn::Mul(e3, hn::Load(d, w + 3 * n));
      float* errors = s.errors + k * t + r;
      hn::Store(w0, d, errors), hn::Store(w1, d, errors + n);
      hn::Store(w2, d, errors + 2 * n), hn::Store(w3, d, errors + 3 * n);
      squares0 = hn::MulAdd(e1, w1, hn::MulAdd(e0, w0, squares0));
      squares1 = hn::MulAdd(e3, w3, hn::MulAdd(e2, w2, squares1));
      add_to(sums + k * sum_lanes(), hn::Add(hn::Add(w0, w1), hn::Add(w2, w3)));
    }
    add_halves(hn::Add(squares0, squares1), total0, total1);
  }
  for (; r < rows.rows; r += n)
    for (std::size_t k = 0; k < outputs; ++k) {
      const float* weights = b.output_weights + k * units;
      auto e = hn::Sub(hn::Set(d, b.output_bias[k]), hn::Load(d, rows.targets + k * t + r));
      for (std::size_t j = 0; j < units; ++j)
        e = hn::MulAdd(hn::Set(d, weights[j]), hn::Load(d, hidden + j * t + r), e);
      const auto we = hn::Mul(e, hn::Load(d, rows.weights + r));
      hn::Store(we, d, s.errors + k * t + r);
      add_to(sums + k * sum_lanes(), we);
      add_halves(hn::Mul(e, we), total0, total1);
    }
  return 0.5 * hn::GetLane(hn::SumOfLanes(wide, hn::Add(total0, total1)));
}

/// Back through the only output: delta = error * slope, its sum into the place of the unit's bias, and the sum of error
/// * hidden into that of its output weight. The weight itself is a factor of the sums, which flush_hidden brings in.
template <class Formula>
HWY_ATTR inline void back_to_unit(Formula f, std::size_t j, const TileBlock& b, const TileRows& rows,
                                  const float* hidden, const TileScratch& s) {
  using network::HWY_NAMESPACE::sloped;
  const RowTag d;
  const std::size_t n = hn::Lanes(d), count = rows.rows;
  const float *a = hidden + j * b.tile_rows, *e = s.errors;
  float* delta = s.delta + j * b.tile_rows;
  auto sum_p = hn::Zero(d), sum_d = sum_p;
  std::size_t r = 0;
  for (; r + 4 * n <= count; r += 4 * n) {
    const auto a0 = hn::Load(d, a + r), a1 = hn::Load(d, a + r + n);
    const auto a2 = hn::Load(d, a + r + 2 * n), a3 = hn::Load(d, a + r + 3 * n);
    const auto e0 = hn::Load(d, e + r), e1 = hn::Load(d, e + r + n);
    const auto e2 = hn::Load(d, e + r + 2 * n), e3 = hn::Load(d, e + r + 3 * n);
    const auto p0 = hn::Mul(a0, e0), p1 = hn::Mul(a1, e1), p2 = hn::Mul(a2, e2), p3 = hn::Mul(a3, e3);
    const auto d0 = sloped(f, a0, e0, p0), d1 = sloped(f, a1, e1, p1);
    const auto d2 = sloped(f, a2, e2, p2), d3 = sloped(f, a3, e3, p3);
    hn::Store(d0, d, delta + r), hn::Store(d1, d, delta + r + n);
    hn::Store(d2, d, delta + r + 2 * n), hn::Store(d3, d, delta + r + 3 * n);
    sum_p = hn::Add(sum_p, hn::Add(hn::Add(p0, p1), hn::Add(p2, p3)));
    sum_d = hn::Add(sum_d, hn::Add(hn::Add(d0, d1), hn::Add(d2, d3)));
  }
  for (; r < count; r += n) {
    const auto a0 = hn::Load(d, a + r), e0 = hn::Load(d, e + r), p0 = hn::Mul(a0, e0), d0 = sloped(f, a0, e0, p0);
    hn::Store(d0, d, delta + r);
    sum_p = hn::Add(sum_p, p0), sum_d = hn::Add(sum_d, d0);
  }
  add_to(s.hidden_sums + (b.features * b.units + j) * sum_lanes(), sum_d);
  add_to(s.output_sums + j * sum_lanes(), sum_p);
}

/// Both of these at once for one unit and one output, without a way through memory.
template <class Formula>
HWY_ATTR inline double there_and_back(Formula f, const TileBlock& b, const TileRows& rows, const float* hidden,
                                      const TileScratch& s) {
  using network::HWY_NAMESPACE::sloped;
  const RowTag d;
  const hn::CappedTag<double, lane_run / 2> wide;
  const std::size_t n = hn::Lanes(d), count = rows.rows;
  const float *y = rows.targets, *w = rows.weights;
  float* delta = s.delta;
  const auto weight = hn::Set(d, b.output_weights[0]), bias = hn::Set(d, b.output_bias[0]);
  auto sum_e = hn::Zero(d), sum_p = sum_e, sum_d = sum_e;
  auto total0 = hn::Zero(wide), total1 = total0;
  const auto error = [&](std::size_t r, RowVector a)
                         HWY_ATTR { return hn::MulAdd(weight, a, hn::Sub(bias, hn::Load(d, y + r))); };
  const auto weighted = [&](std::size_t r, RowVector e) HWY_ATTR { return hn::Mul(e, hn::Load(d, w + r)); };
  std::size_t r = 0;
  for (; r + 4 * n <= count; r += 4 * n) {
    const auto a0 = hn::Load(d, hidden + r), a1 = hn::Load(d, hidden + r + n);
    const auto a2 = hn::Load(d, hidden + r + 2 * n), a3 = hn::Load(d, hidden + r + 3 * n);
    const auto e0 = error(r, a0), e1 = error(r + n, a1), e2 = error(r + 2 * n, a2), e3 = error(r + 3 * n, a3);
    const auto w0 = weighted(r, e0), w1 = weighted(r + n, e1);
    const auto w2 = weighted(r + 2 * n, e2), w3 = weighted(r + 3 * n, e3);
    const auto p0 = hn::Mul(a0, w0), p1 = hn::Mul(a1, w1), p2 = hn::Mul(a2, w2), p3 = hn::Mul(a3, w3);
    const auto d0 = sloped(f, a0, w0, p0), d1 = sloped(f, a1, w1, p1);
    const auto d2 = sloped(f, a2, w2, p2), d3 = sloped(f, a3, w3, p3);
    hn::Store(d0, d, delta + r), hn::Store(d1, d, delta + r + n);
    hn::Store(d2, d, delta + r + 2 * n), hn::Store(d3, d, delta + r + 3 * n);
    sum_e = hn::Add(sum_e, hn::Add(hn::Add(w0, w1), hn::Add(w2, w3)));
    sum_p = hn::Add(sum_p, hn::Add(hn::Add(p0, p1), hn::Add(p2, p3)));
    sum_d = hn::Add(sum_d, hn::Add(hn::Add(d0, d1), hn::Add(d2, d3)));
    add_halves(hn::Add(hn::MulAdd(e1, w1, hn::Mul(e0, w0)), hn::MulAdd(e3, w3, hn::Mul(e2, w2))), total0, total1);
  }
  for (; r < count; r += n) {
    const auto a = hn::Load(d, hidden + r), e = error(r, a), we = weighted(r, e), p = hn::Mul(a, we);
    const auto back = sloped(f, a, we, p);
    hn::Store(back, d, delta + r);
    sum_e = hn::Add(sum_e, we), sum_p = hn::Add(sum_p, p), sum_d = hn::Add(sum_d, back);
    add_halves(hn::Mul(e, we), total0, total1);
  }
  add_to(s.hidden_sums + b.features * sum_lanes(), sum_d);
  add_to(s.output_sums, sum_p), add_to(s.output_sums + sum_lanes(), sum_e);
  return 0.5 * hn::GetLane(hn::SumOfLanes(wide, hn::Add(total0, total1)));
}

/// The same for one unit and several outputs, whose errors are not kept.
template <class Formula>
HWY_ATTR inline double there_and_back_many(Formula f, const TileBlock& b, const TileRows& rows, const float* hidden,
                                           const TileScratch& s) {
  using network::HWY_NAMESPACE::sloped;
  const RowTag d;
  const hn::CappedTag<double, lane_run / 2> wide;
  const std::size_t n = hn::Lanes(d), t = b.tile_rows, outputs = b.outputs, count = rows.rows;
  const float *w = rows.weights, *weights = b.output_weights, *bias = b.output_bias;
  float *sums = s.output_sums, *bias_sums = sums + outputs * sum_lanes(), *delta = s.delta;
  auto total0 = hn::Zero(wide), total1 = total0;
  auto sum_d = hn::Zero(d);
  std::size_t r = 0;
  for (; r + 4 * n <= count; r += 4 * n) {
    const auto a0 = hn::Load(d, hidden + r), a1 = hn::Load(d, hidden + r + n);
    const auto a2 = hn::Load(d, hidden + r + 2 * n), a3 = hn::Load(d, hidden + r + 3 * n);
    const auto w0 = hn::Load(d, w + r), w1 = hn::Load(d, w + r + n);
    const auto w2 = hn::Load(d, w + r + 2 * n), w3 = hn::Load(d, w + r + 3 * n);
    auto d0 = hn::Zero(d), d1 = d0, d2 = d0, d3 = d0, squares0 = d0, squares1 = d0;
    const float* y = rows.targets + r;
    for (std::size_t k = 0; k < outputs; ++k, y += t) {
      const auto v = hn::Set(d, weights[k]), c = hn::Set(d, bias[k]);
      const auto e0 = hn::MulAdd(v, a0, hn::Sub(c, hn::Load(d, y)));
      const auto e1 = hn::MulAdd(v, a1, hn::Sub(c, hn::Load(d, y + n)));
      const auto e2 = hn::MulAdd(v, a2, hn::Sub(c, hn::Load(d, y + 2 * n)));
      const auto e3 = hn::MulAdd(v, a3, hn::Sub(c, hn::Load(d, y + 3 * n)));
      const auto u0 = hn::Mul(e0, w0), u1 = hn::Mul(e1, w1), u2 = hn::Mul(e2, w2), u3 = hn::Mul(e3, w3);
      squares0 = hn::MulAdd(e1, u1, hn::MulAdd(e0, u0, squares0));
      squares1 = hn::MulAdd(e3, u3, hn::MulAdd(e2, u2, squares1));
      d0 = hn::MulAdd(v, u0, d0), d1 = hn::MulAdd(v, u1, d1), d2 = hn::MulAdd(v, u2, d2), d3 = hn::MulAdd(v, u3, d3);
      add_to(sums + k * sum_lanes(), hn::Add(hn::MulAdd(a1, u1, hn::Mul(a0, u0)), hn::MulAdd(a3, u3, hn::Mul(a2, u2))));
      add_to(bias_sums + k * sum_lanes(), hn::Add(hn::Add(u0, u1), hn::Add(u2, u3)));
    }
    d0 = sloped(f, a0, d0, hn::Mul(a0, d0)), d1 = sloped(f, a1, d1, hn::Mul(a1, d1));
    d2 = sloped(f, a2, d2, hn::Mul(a2, d2)), d3 = sloped(f, a3, d3, hn::Mul(a3, d3));
    hn::Store(d0, d, delta + r), hn::Store(d1, d, delta + r + n);
    hn::Store(d2, d, delta + r + 2 * n), hn::Store(d3, d, delta + r + 3 * n);
    sum_d = hn::Add(sum_d, hn::Add(hn::Add(d0, d1), hn::Add(d2, d3)));
    add_halves(hn::Add(squares0, squares1), total0, total1);
  }
  for (; r < count; r += n) {
    const auto a = hn::Load(d, hidden + r);
    auto back = hn::Zero(d), squares = back;
    for (std::size_t k = 0; k < outputs; ++k) {
      const auto v = hn::Set(d, weights[k]);
      const auto e = hn::MulAdd(v, a, hn::Sub(hn::Set(d, bias[k]), hn::Load(d, rows.targets + k * t + r)));
      const auto u = hn::Mul(e, hn::Load(d, w + r));
      squares = hn::MulAdd(e, u, squares), back = hn::MulAdd(v, u, back);
      add_to(sums + k * sum_lanes(), hn::Mul(a, u)), add_to(bias_sums + k * sum_lanes(), u);
    }
    back = sloped(f, a, back, hn::Mul(a, back));
    hn::Store(back, d, delta + r);
    sum_d = hn::Add(sum_d, back);
    add_halves(squares, total0, total1);
  }
  add_to(s.hidden_sums + b.features * sum_lanes(), sum_d);
  return 0.5 * hn::GetLane(hn::SumOfLanes(wide, hn::Add(total0, total1)));
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
