// Backward pass through an output layer of several outputs over one tile, compiled once per instruction set. For each
// hidden unit it computes delta = slope * sum_k weight_k * error_k and accumulates the gradients of the output weights
// and of the hidden bias. All three read the same values, so a single pass over the rows computes them, for two units
// and up to four outputs at a time.

#if defined(ACCRETE_BACKEND_BACKWARD_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_BACKEND_BACKWARD_INL_HPP
#undef ACCRETE_BACKEND_BACKWARD_INL_HPP
#else
#define ACCRETE_BACKEND_BACKWARD_INL_HPP
#endif

#include <cstddef>

#include "accrete/backend/kernels/accumulate-inl.hpp"
#include "accrete/backend/kernels/evaluate_kernel.hpp"
#include "accrete/backend/kernels/output_layer-inl.hpp"
#include "accrete/network/kernels/activate-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Pointers are to the first output and unit of the group.
struct BackwardArgs {
  const float* errors;   ///< outputs x stride
  const float* hidden;   ///< units x stride
  const float* weights;  ///< units x all_outputs
  float* delta;          ///< units x stride; running sum over the outputs until the last group
  float* sums;           ///< units x all_outputs accumulators: output weights
  float* bias_sums;      ///< units accumulators: hidden biases
  std::size_t all_outputs, rows, stride;
};

/// A group of `outputs` outputs with one unit or a pair. first: starts delta from zero; last: completes it with the
/// slope.
template <class Formula, std::size_t outputs, bool pair, bool first, bool last>
HWY_ATTR inline void backward_fixed_outputs(const BackwardArgs& b) {
  using network::HWY_NAMESPACE::multiply_by_slope;
  const Formula f;
  const FloatTag d;
  const std::size_t n = hn::Lanes(d), unit_stride = pair ? b.stride : 0, step = b.all_outputs;
  const auto index_or_0 = [](std::size_t i) { return i < outputs ? i : 0; };
  const float *a0 = b.hidden, *a1 = a0 + unit_stride;
  float *d0 = b.delta, *d1 = d0 + unit_stride;
  const float *e0 = b.errors, *e1 = e0 + index_or_0(1) * b.stride, *e2 = e0 + index_or_0(2) * b.stride;
  const float* e3 = e0 + index_or_0(3) * b.stride;
  const float *w0 = b.weights, *w1 = w0 + (pair ? step : 0);
  float *t0 = b.sums, *t1 = t0 + (pair ? step * n : 0);
  const std::size_t n1 = index_or_0(1) * n, n2 = index_or_0(2) * n, n3 = index_or_0(3) * n;
  const auto v00 = hn::Set(d, w0[0]), v01 = hn::Set(d, w0[index_or_0(1)]), v02 = hn::Set(d, w0[index_or_0(2)]);
  const auto v10 = hn::Set(d, w1[0]), v11 = hn::Set(d, w1[index_or_0(1)]), v12 = hn::Set(d, w1[index_or_0(2)]);
  const auto v03 = hn::Set(d, w0[index_or_0(3)]), v13 = hn::Set(d, w1[index_or_0(3)]);
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
    if constexpr (last) g0 = multiply_by_slope(f, u0, g0, hn::Mul(u0, g0)), bias0 = hn::Add(bias0, g0);
    if constexpr (last && pair) g1 = multiply_by_slope(f, u1, g1, hn::Mul(u1, g1)), bias1 = hn::Add(bias1, g1);
    hn::Store(g0, d, d0 + r);
    if constexpr (pair) hn::Store(g1, d, d1 + r);
  }
  if constexpr (last) add_to_sums(b.bias_sums, bias0);
  if constexpr (last && pair) add_to_sums(b.bias_sums + n, bias1);
  const auto store = [&](auto sum0, auto sum1, std::size_t at) HWY_ATTR {
    hn::Store(sum0, d, t0 + at);
    if constexpr (pair) hn::Store(sum1, d, t1 + at);
  };
  store(s00, s10, 0);
  if constexpr (outputs > 1) store(s01, s11, n1);
  if constexpr (outputs > 2) store(s02, s12, n2);
  if constexpr (outputs > 3) store(s03, s13, n3);
}

/// The same for 1 to 4 outputs, a number known at run time.
template <class Formula, bool pair, bool first, bool last>
HWY_ATTR inline void backward_outputs(const BackwardArgs& b, std::size_t outputs) {
  switch (outputs) {
    case 1:
      return backward_fixed_outputs<Formula, 1, pair, first, last>(b);
    case 2:
      return backward_fixed_outputs<Formula, 2, pair, first, last>(b);
    case 3:
      return backward_fixed_outputs<Formula, 3, pair, first, last>(b);
    default:
      return backward_fixed_outputs<Formula, 4, pair, first, last>(b);
  }
}

/// One unit or a pair with all outputs.
template <class Formula, bool pair>
HWY_ATTR inline void backward_units(BackwardArgs b) {
  const std::size_t n = accumulator_lanes();
  std::size_t left = b.all_outputs;
  if (left <= 4) return backward_outputs<Formula, pair, true, true>(b, left);
  const auto advance = [&] { b.errors += 4 * b.stride, b.weights += 4, b.sums += 4 * n, left -= 4; };
  backward_fixed_outputs<Formula, 4, pair, true, false>(b), advance();
  // NOLINTNEXTLINE(bugprone-infinite-loop): advance() lowers left
  for (; left > 4; advance()) backward_fixed_outputs<Formula, 4, pair, false, false>(b);
  backward_outputs<Formula, pair, false, true>(b, left);
}

/// s.delta from s.errors for all units; accumulates the gradients of the output weights and the hidden biases.
template <class Formula>
HWY_ATTR inline void backward_layer(Formula, const KernelBlock& b, std::size_t rows, const float* hidden,
                                    const TileScratch& s) {
  const std::size_t n = accumulator_lanes();
  float* bias_sums = s.hidden_sums + b.features * b.units * n;
  BackwardArgs args{.errors = s.errors,
                    .hidden = hidden,
                    .weights = b.output_weights_transposed,
                    .delta = s.delta,
                    .sums = s.output_sums,
                    .bias_sums = bias_sums,
                    .all_outputs = b.outputs,
                    .rows = rows,
                    .stride = b.tile_rows};
  for (std::size_t j = 0; j < b.units; j += 2) {
    j + 2 <= b.units ? backward_units<Formula, true>(args) : backward_units<Formula, false>(args);
    args.hidden += 2 * b.tile_rows, args.delta += 2 * b.tile_rows;
    args.weights += 2 * b.outputs, args.sums += 2 * b.outputs * n, args.bias_sums += 2 * n;
  }
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
