// Back through several outputs, over a tile, once per instruction set: the errors of two hidden units at a time, times
// the activation's slope, and the sums of the output weights' gradient and of the hidden biases'. All read the same
// numbers, so one pass does them, four outputs at a time.

#if defined(ACCRETE_BACKEND_BACK_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_BACKEND_BACK_INL_HPP
#undef ACCRETE_BACKEND_BACK_INL_HPP
#else
#define ACCRETE_BACKEND_BACK_INL_HPP
#endif

#include <cstddef>

#include "accrete/backend/accumulate-inl.hpp"
#include "accrete/backend/evaluate_kernel.hpp"
#include "accrete/backend/output-inl.hpp"
#include "accrete/network/activate-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// From the first of its outputs and of its units on.
struct Back {
  const float* errors;   ///< outputs x stride
  const float* hidden;   ///< units x stride
  const float* weights;  ///< units x all outputs
  float* delta;          ///< units x stride
  float* sums;           ///< units x all outputs x lanes
  float* bias_sums;      ///< units x lanes
  std::size_t all_outputs, rows, stride;
};

/// `outputs` of them with one or two units. first: delta begins here; last: it is complete, and the slope comes in.
template <class Formula, std::size_t outputs, bool pair, bool first, bool last>
HWY_ATTR inline void back_through(const Back& b) {
  using network::HWY_NAMESPACE::sloped;
  const Formula f;
  const Lanes d;
  const std::size_t n = hn::Lanes(d), to_unit = pair ? b.stride : 0, step = b.all_outputs;
  const auto place = [](std::size_t i) { return i < outputs ? i : 0; };
  const float *a0 = b.hidden, *a1 = a0 + to_unit;
  float *d0 = b.delta, *d1 = d0 + to_unit;
  const float *e0 = b.errors, *e1 = e0 + place(1) * b.stride, *e2 = e0 + place(2) * b.stride;
  const float* e3 = e0 + place(3) * b.stride;
  const float *w0 = b.weights, *w1 = w0 + (pair ? step : 0);
  float *t0 = b.sums, *t1 = t0 + (pair ? step * n : 0);
  const std::size_t n1 = place(1) * n, n2 = place(2) * n, n3 = place(3) * n;
  const auto v00 = hn::Set(d, w0[0]), v01 = hn::Set(d, w0[place(1)]), v02 = hn::Set(d, w0[place(2)]);
  const auto v10 = hn::Set(d, w1[0]), v11 = hn::Set(d, w1[place(1)]), v12 = hn::Set(d, w1[place(2)]);
  const auto v03 = hn::Set(d, w0[place(3)]), v13 = hn::Set(d, w1[place(3)]);
  auto s00 = hn::Load(d, t0), s01 = hn::Load(d, t0 + n1), s02 = hn::Load(d, t0 + n2), s03 = hn::Load(d, t0 + n3);
  auto s10 = hn::Load(d, t1), s11 = hn::Load(d, t1 + n1), s12 = hn::Load(d, t1 + n2), s13 = hn::Load(d, t1 + n3);
  auto bias0 = hn::Zero(d), bias1 = bias0;
  for (std::size_t r = 0; r < b.rows; r += n) {
    const auto u0 = hn::Load(d, a0 + r), u1 = hn::Load(d, a1 + r);
    auto g0 = first ? hn::Zero(d) : hn::Load(d, d0 + r), g1 = first ? hn::Zero(d) : hn::Load(d, d1 + r);
    const auto add = [&](const float* e, auto x0, auto x1, auto& sum0, auto& sum1) HWY_ATTR {
      const auto error = hn::Load(d, e + r);
      g0 = hn::MulAdd(x0, error, g0), sum0 = hn::MulAdd(u0, error, sum0);
      if constexpr (pair) g1 = hn::MulAdd(x1, error, g1), sum1 = hn::MulAdd(u1, error, sum1);
    };
    add(e0, v00, v10, s00, s10);
    if constexpr (outputs > 1) add(e1, v01, v11, s01, s11);
    if constexpr (outputs > 2) add(e2, v02, v12, s02, s12);
    if constexpr (outputs > 3) add(e3, v03, v13, s03, s13);
    if constexpr (last) g0 = sloped(f, u0, g0, hn::Mul(u0, g0)), bias0 = hn::Add(bias0, g0);
    if constexpr (last && pair) g1 = sloped(f, u1, g1, hn::Mul(u1, g1)), bias1 = hn::Add(bias1, g1);
    hn::Store(g0, d, d0 + r);
    if constexpr (pair) hn::Store(g1, d, d1 + r);
  }
  if constexpr (last) add_to(b.bias_sums, bias0);
  if constexpr (last && pair) add_to(b.bias_sums + n, bias1);
  const auto keep = [&](auto sum0, auto sum1, std::size_t at) HWY_ATTR {
    hn::Store(sum0, d, t0 + at);
    if constexpr (pair) hn::Store(sum1, d, t1 + at);
  };
  keep(s00, s10, 0);
  if constexpr (outputs > 1) keep(s01, s11, n1);
  if constexpr (outputs > 2) keep(s02, s12, n2);
  if constexpr (outputs > 3) keep(s03, s13, n3);
}

template <class Formula, bool pair, bool first, bool last>
HWY_ATTR inline void back_through_so_many(const Back& b, std::size_t outputs) {
  switch (outputs) {
    case 1:
      return back_through<Formula, 1, pair, first, last>(b);
    case 2:
      return back_through<Formula, 2, pair, first, last>(b);
    case 3:
      return back_through<Formula, 3, pair, first, last>(b);
    default:
      return back_through<Formula, 4, pair, first, last>(b);
  }
}

/// One or two units, all outputs.
template <class Formula, bool pair>
HWY_ATTR inline void back_to_units(Back b) {
  const std::size_t n = sum_lanes();
  std::size_t left = b.all_outputs;
  if (left <= 4) return back_through_so_many<Formula, pair, true, true>(b, left);
  const auto move_on = [&] { b.errors += 4 * b.stride, b.weights += 4, b.sums += 4 * n, left -= 4; };
  back_through<Formula, 4, pair, true, false>(b), move_on();
  for (; left > 4; move_on()) back_through<Formula, 4, pair, false, false>(b);
  back_through_so_many<Formula, pair, false, true>(b, left);
}

/// From s.errors to s.delta, with the sums of the output weights and of the hidden biases.
template <class Formula>
HWY_ATTR inline void back_to_layer(Formula, const TileBlock& b, std::size_t rows, const float* hidden,
                                   const TileScratch& s) {
  const std::size_t n = sum_lanes();
  float* bias_sums = s.hidden_sums + b.features * b.units * n;
  Back back{s.errors, hidden, b.back_weights, s.delta, s.output_sums, bias_sums, b.outputs, rows, b.tile_rows};
  for (std::size_t j = 0; j < b.units; j += 2) {
    j + 2 <= b.units ? back_to_units<Formula, true>(back) : back_to_units<Formula, false>(back);
    back.hidden += 2 * b.tile_rows, back.delta += 2 * b.tile_rows;
    back.weights += 2 * b.outputs, back.sums += 2 * b.outputs * n, back.bias_sums += 2 * n;
  }
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
