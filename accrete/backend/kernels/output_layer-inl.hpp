// The output layer over one tile, compiled once per instruction set: squared errors of a linear output layer, and the
// backward pass through a single output (backend/kernels/backward-inl.hpp handles several). With few features these
// passes cost as much as the hidden layer, so each value is loaded once for all its uses. Four vectors of rows are
// interleaved because each is one dependency chain.

#if defined(ACCRETE_BACKEND_OUTPUT_LAYER_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_BACKEND_OUTPUT_LAYER_INL_HPP
#undef ACCRETE_BACKEND_OUTPUT_LAYER_INL_HPP
#else
#define ACCRETE_BACKEND_OUTPUT_LAYER_INL_HPP
#endif

#include <cstddef>

#include "accrete/backend/kernels/accumulate-inl.hpp"
#include "accrete/backend/kernels/evaluate_kernel.hpp"
#include "accrete/network/kernels/activate-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// total0 += lower half of v, total1 += upper half, both promoted to double. The halves go through memory because
/// the number of lanes may be unknown at compile time (SVE).
template <class V, class W>
HWY_ATTR HWY_INLINE void add_halves(V v, W& total0, W& total1) {
  const hn::CappedTag<float, line_floats> d;
  const hn::CappedTag<double, line_floats / 2> wide;
  const hn::Rebind<float, decltype(wide)> narrow;
  HWY_ALIGN float lanes[line_floats];
  hn::Store(v, d, lanes);
  total0 = hn::Add(total0, hn::PromoteTo(wide, hn::Load(narrow, lanes)));
  if (hn::Lanes(d) > hn::Lanes(wide))
    total1 = hn::Add(total1, hn::PromoteTo(wide, hn::Load(narrow, lanes + hn::Lanes(wide))));
}

/// Adds v to an accumulator in memory.
HWY_ATTR HWY_INLINE void add_to_sums(float* sums, FloatVector v) {
  const FloatTag d;
  hn::Store(hn::Add(hn::Load(d, sums), v), d, sums);
}

/// s.errors = w * (bias + sum_j weight_j * hidden_j - target) for every output; accumulates the output bias gradient.
/// Returns half the weighted sum of squares. Squares are added per lane in float over the outputs of four vectors of
/// rows, then in double.
HWY_ATTR inline double squared_errors(const KernelBlock& b, const TileRows& rows, const float* hidden,
                                      const TileScratch& s) {
  const FloatTag d;
  const hn::CappedTag<double, line_floats / 2> wide;
  const std::size_t n = hn::Lanes(d), t = b.tile_rows, units = b.units, outputs = b.outputs;
  float* sums = s.output_sums + units * outputs * accumulator_lanes();
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
      add_to_sums(sums + k * accumulator_lanes(), hn::Add(hn::Add(w0, w1), hn::Add(w2, w3)));
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
      add_to_sums(sums + k * accumulator_lanes(), we);
      add_halves(hn::Mul(e, we), total0, total1);
    }
  return 0.5 * hn::GetLane(hn::SumOfLanes(wide, hn::Add(total0, total1)));
}

/// Backward pass through a single output for unit j: accumulates delta = error * slope into the unit's bias gradient,
/// and error * hidden into the gradient of its output weight. The output weight, a factor common to all rows, is left
/// to write_hidden_gradient.
template <class Formula>
HWY_ATTR inline void backward_one_output(Formula f, std::size_t j, const KernelBlock& b, const TileRows& rows,
                                         const float* hidden, const TileScratch& s) {
  using network::HWY_NAMESPACE::multiply_by_slope;
  const FloatTag d;
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
    const auto d0 = multiply_by_slope(f, a0, e0, p0), d1 = multiply_by_slope(f, a1, e1, p1);
    const auto d2 = multiply_by_slope(f, a2, e2, p2), d3 = multiply_by_slope(f, a3, e3, p3);
    hn::Store(d0, d, delta + r), hn::Store(d1, d, delta + r + n);
    hn::Store(d2, d, delta + r + 2 * n), hn::Store(d3, d, delta + r + 3 * n);
    sum_p = hn::Add(sum_p, hn::Add(hn::Add(p0, p1), hn::Add(p2, p3)));
    sum_d = hn::Add(sum_d, hn::Add(hn::Add(d0, d1), hn::Add(d2, d3)));
  }
  for (; r < count; r += n) {
    const auto a0 = hn::Load(d, a + r), e0 = hn::Load(d, e + r), p0 = hn::Mul(a0, e0),
               d0 = multiply_by_slope(f, a0, e0, p0);
    hn::Store(d0, d, delta + r);
    sum_p = hn::Add(sum_p, p0), sum_d = hn::Add(sum_d, d0);
  }
  add_to_sums(s.hidden_sums + (b.features * b.units + j) * accumulator_lanes(), sum_d);
  add_to_sums(s.output_sums + j * accumulator_lanes(), sum_p);
}

/// squared_errors and backward_one_output fused for one unit and one output: errors stay in registers.
template <class Formula>
HWY_ATTR inline double fused_one_unit_one_output(Formula f, const KernelBlock& b, const TileRows& rows,
                                                 const float* hidden, const TileScratch& s) {
  using network::HWY_NAMESPACE::multiply_by_slope;
  const FloatTag d;
  const hn::CappedTag<double, line_floats / 2> wide;
  const std::size_t n = hn::Lanes(d), count = rows.rows;
  const float *y = rows.targets, *w = rows.weights;
  float* delta = s.delta;
  const auto weight = hn::Set(d, b.output_weights[0]), bias = hn::Set(d, b.output_bias[0]);
  auto sum_e = hn::Zero(d), sum_p = sum_e, sum_d = sum_e;
  auto total0 = hn::Zero(wide), total1 = total0;
  const auto error = [&](std::size_t r, FloatVector a)
                         HWY_ATTR { return hn::MulAdd(weight, a, hn::Sub(bias, hn::Load(d, y + r))); };
  const auto weighted = [&](std::size_t r, FloatVector e) HWY_ATTR { return hn::Mul(e, hn::Load(d, w + r)); };
  std::size_t r = 0;
  for (; r + 4 * n <= count; r += 4 * n) {
    const auto a0 = hn::Load(d, hidden + r), a1 = hn::Load(d, hidden + r + n);
    const auto a2 = hn::Load(d, hidden + r + 2 * n), a3 = hn::Load(d, hidden + r + 3 * n);
    const auto e0 = error(r, a0), e1 = error(r + n, a1), e2 = error(r + 2 * n, a2), e3 = error(r + 3 * n, a3);
    const auto w0 = weighted(r, e0), w1 = weighted(r + n, e1);
    const auto w2 = weighted(r + 2 * n, e2), w3 = weighted(r + 3 * n, e3);
    const auto p0 = hn::Mul(a0, w0), p1 = hn::Mul(a1, w1), p2 = hn::Mul(a2, w2), p3 = hn::Mul(a3, w3);
    const auto d0 = multiply_by_slope(f, a0, w0, p0), d1 = multiply_by_slope(f, a1, w1, p1);
    const auto d2 = multiply_by_slope(f, a2, w2, p2), d3 = multiply_by_slope(f, a3, w3, p3);
    hn::Store(d0, d, delta + r), hn::Store(d1, d, delta + r + n);
    hn::Store(d2, d, delta + r + 2 * n), hn::Store(d3, d, delta + r + 3 * n);
    sum_e = hn::Add(sum_e, hn::Add(hn::Add(w0, w1), hn::Add(w2, w3)));
    sum_p = hn::Add(sum_p, hn::Add(hn::Add(p0, p1), hn::Add(p2, p3)));
    sum_d = hn::Add(sum_d, hn::Add(hn::Add(d0, d1), hn::Add(d2, d3)));
    add_halves(hn::Add(hn::MulAdd(e1, w1, hn::Mul(e0, w0)), hn::MulAdd(e3, w3, hn::Mul(e2, w2))), total0, total1);
  }
  for (; r < count; r += n) {
    const auto a = hn::Load(d, hidden + r), e = error(r, a), we = weighted(r, e), p = hn::Mul(a, we);
    const auto delta0 = multiply_by_slope(f, a, we, p);
    hn::Store(delta0, d, delta + r);
    sum_e = hn::Add(sum_e, we), sum_p = hn::Add(sum_p, p), sum_d = hn::Add(sum_d, delta0);
    add_halves(hn::Mul(e, we), total0, total1);
  }
  add_to_sums(s.hidden_sums + b.features * accumulator_lanes(), sum_d);
  add_to_sums(s.output_sums, sum_p), add_to_sums(s.output_sums + accumulator_lanes(), sum_e);
  return 0.5 * hn::GetLane(hn::SumOfLanes(wide, hn::Add(total0, total1)));
}

/// The same for one unit and several outputs.
template <class Formula>
HWY_ATTR inline double fused_one_unit(Formula f, const KernelBlock& b, const TileRows& rows, const float* hidden,
                                      const TileScratch& s) {
  using network::HWY_NAMESPACE::multiply_by_slope;
  const FloatTag d;
  const hn::CappedTag<double, line_floats / 2> wide;
  const std::size_t n = hn::Lanes(d), t = b.tile_rows, outputs = b.outputs, count = rows.rows;
  const float *w = rows.weights, *weights = b.output_weights, *bias = b.output_bias;
  float *sums = s.output_sums, *bias_sums = sums + outputs * accumulator_lanes(), *delta = s.delta;
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
      add_to_sums(sums + k * accumulator_lanes(),
                  hn::Add(hn::MulAdd(a1, u1, hn::Mul(a0, u0)), hn::MulAdd(a3, u3, hn::Mul(a2, u2))));
      add_to_sums(bias_sums + k * accumulator_lanes(), hn::Add(hn::Add(u0, u1), hn::Add(u2, u3)));
    }
    d0 = multiply_by_slope(f, a0, d0, hn::Mul(a0, d0)), d1 = multiply_by_slope(f, a1, d1, hn::Mul(a1, d1));
    d2 = multiply_by_slope(f, a2, d2, hn::Mul(a2, d2)), d3 = multiply_by_slope(f, a3, d3, hn::Mul(a3, d3));
    hn::Store(d0, d, delta + r), hn::Store(d1, d, delta + r + n);
    hn::Store(d2, d, delta + r + 2 * n), hn::Store(d3, d, delta + r + 3 * n);
    sum_d = hn::Add(sum_d, hn::Add(hn::Add(d0, d1), hn::Add(d2, d3)));
    add_halves(hn::Add(squares0, squares1), total0, total1);
  }
  for (; r < count; r += n) {
    const auto a = hn::Load(d, hidden + r);
    auto delta0 = hn::Zero(d), squares = delta0;
    for (std::size_t k = 0; k < outputs; ++k) {
      const auto v = hn::Set(d, weights[k]);
      const auto e = hn::MulAdd(v, a, hn::Sub(hn::Set(d, bias[k]), hn::Load(d, rows.targets + k * t + r)));
      const auto u = hn::Mul(e, hn::Load(d, w + r));
      squares = hn::MulAdd(e, u, squares), delta0 = hn::MulAdd(v, u, delta0);
      add_to_sums(sums + k * accumulator_lanes(), hn::Mul(a, u)), add_to_sums(bias_sums + k * accumulator_lanes(), u);
    }
    delta0 = multiply_by_slope(f, a, delta0, hn::Mul(a, delta0));
    hn::Store(delta0, d, delta + r);
    sum_d = hn::Add(sum_d, delta0);
    add_halves(squares, total0, total1);
  }
  add_to_sums(s.hidden_sums + b.features * accumulator_lanes(), sum_d);
  return 0.5 * hn::GetLane(hn::SumOfLanes(wide, hn::Add(total0, total1)));
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
