// Forward pass of a dense layer over one tile of rows, compiled once per instruction set:
//
//   dense_layer   out_q[r] = epilogue(bias_q + sum_p weight[q, p] * in_p[r])
//
// in_p points at consecutive rows of input p: a feature of the tile, or a hidden unit's outputs. Inputs are added in
// order, so an input of weight 0 does not change the result.

#if defined(ACCRETE_NETWORK_DENSE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_NETWORK_DENSE_INL_HPP
#undef ACCRETE_NETWORK_DENSE_INL_HPP
#else
#define ACCRETE_NETWORK_DENSE_INL_HPP
#endif

#include <cstddef>

#include "accrete/network/kernels/activate-inl.hpp"
#include "accrete/network/kernels/dense_ops-inl.hpp"
#include "accrete/network/kernels/dense_packed-inl.hpp"
#include "accrete/network/kernels/dense_single-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::network::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Outputs q and q + 1 over all rows. prefetch: also prefetches the next tile in address order.
template <class Epilogue, bool prefetch>
HWY_ATTR inline void dense_two_outputs(const DenseArgs& c, std::size_t q) {
  const Epilogue epilogue;
  const FloatTag d;
  const std::size_t n = hn::Lanes(d);
  const float* w0 = c.weights + q * c.inputs;
  const float* w1 = w0 + c.inputs;
  float* out0 = c.out + q * c.stride;
  float* out1 = out0 + c.stride;
  std::size_t r = !prefetch && uses_packed_weights(c) ? dense_packed_2x8<Epilogue>(c, q) : 0;
  for (; r + 4 * n <= c.rows; r += 4 * n) {
    auto s00 = hn::Set(d, c.bias[q]), s10 = hn::Set(d, c.bias[q + 1]);
    auto s01 = s00, s02 = s00, s03 = s00, s11 = s10, s12 = s10, s13 = s10;
    const std::size_t next = distance_to_next_rows(c, r, 4 * n);
    const auto add = [&](const float* x, FloatVector v0, FloatVector v1) HWY_ATTR {
      prefetch_rows<prefetches_rows>(x + next, 4 * n);
      const auto x0 = hn::Load(d, x), x1 = hn::Load(d, x + n), x2 = hn::Load(d, x + 2 * n), x3 = hn::Load(d, x + 3 * n);
      s00 = hn::MulAdd(v0, x0, s00), s01 = hn::MulAdd(v0, x1, s01);
      s02 = hn::MulAdd(v0, x2, s02), s03 = hn::MulAdd(v0, x3, s03);
      s10 = hn::MulAdd(v1, x0, s10), s11 = hn::MulAdd(v1, x1, s11);
      s12 = hn::MulAdd(v1, x2, s12), s13 = hn::MulAdd(v1, x3, s13);
    };
    std::size_t p = 0;
    for (; p + 4 <= c.inputs; p += 4) {
      const auto f0 = load_four_weights(w0 + p), f1 = load_four_weights(w1 + p);
      if constexpr (prefetch) prefetch_next_tile(c, r, p * 4 * n, (p + 4) * 4 * n);
      add(c.in[p] + r, broadcast_weight<0>(f0, w0 + p), broadcast_weight<0>(f1, w1 + p));
      add(c.in[p + 1] + r, broadcast_weight<1>(f0, w0 + p), broadcast_weight<1>(f1, w1 + p));
      add(c.in[p + 2] + r, broadcast_weight<2>(f0, w0 + p), broadcast_weight<2>(f1, w1 + p));
      add(c.in[p + 3] + r, broadcast_weight<3>(f0, w0 + p), broadcast_weight<3>(f1, w1 + p));
    }
    for (; p < c.inputs; ++p) add(c.in[p] + r, hn::Set(d, w0[p]), hn::Set(d, w1[p]));
    hn::Store(epilogue(s00), d, out0 + r), hn::Store(epilogue(s01), d, out0 + r + n);
    hn::Store(epilogue(s02), d, out0 + r + 2 * n), hn::Store(epilogue(s03), d, out0 + r + 3 * n);
    hn::Store(epilogue(s10), d, out1 + r), hn::Store(epilogue(s11), d, out1 + r + n);
    hn::Store(epilogue(s12), d, out1 + r + 2 * n), hn::Store(epilogue(s13), d, out1 + r + 3 * n);
  }
  for (std::size_t left = q; r < c.rows && left < q + 2; ++left) dense_one_output<Epilogue>(c, left, r);
}

/// Outputs q .. q + 3 on two vectors of rows at r.
template <class Epilogue>
HWY_ATTR inline void dense_4x2(const DenseArgs& c, std::size_t q, std::size_t r) {
  const Epilogue epilogue;
  const FloatTag d;
  const std::size_t n = hn::Lanes(d);
  const float* w0 = c.weights + q * c.inputs;
  const float* w1 = w0 + c.inputs;
  const float* w2 = w1 + c.inputs;
  const float* w3 = w2 + c.inputs;
  float* out = c.out + q * c.stride + r;
  auto s00 = hn::Set(d, c.bias[q]), s10 = hn::Set(d, c.bias[q + 1]);
  auto s20 = hn::Set(d, c.bias[q + 2]), s30 = hn::Set(d, c.bias[q + 3]);
  auto s01 = s00, s11 = s10, s21 = s20, s31 = s30;
  for (std::size_t p = 0; p < c.inputs; ++p) {
    const auto x0 = hn::Load(d, c.in[p] + r), x1 = hn::Load(d, c.in[p] + r + n);
    const auto v0 = hn::Set(d, w0[p]), v1 = hn::Set(d, w1[p]);
    const auto v2 = hn::Set(d, w2[p]), v3 = hn::Set(d, w3[p]);
    s00 = hn::MulAdd(v0, x0, s00), s01 = hn::MulAdd(v0, x1, s01);
    s10 = hn::MulAdd(v1, x0, s10), s11 = hn::MulAdd(v1, x1, s11);
    s20 = hn::MulAdd(v2, x0, s20), s21 = hn::MulAdd(v2, x1, s21);
    s30 = hn::MulAdd(v3, x0, s30), s31 = hn::MulAdd(v3, x1, s31);
  }
  hn::Store(epilogue(s00), d, out), hn::Store(epilogue(s01), d, out + n);
  hn::Store(epilogue(s10), d, out + c.stride), hn::Store(epilogue(s11), d, out + c.stride + n);
  hn::Store(epilogue(s20), d, out + 2 * c.stride), hn::Store(epilogue(s21), d, out + 2 * c.stride + n);
  hn::Store(epilogue(s30), d, out + 3 * c.stride), hn::Store(epilogue(s31), d, out + 3 * c.stride + n);
}

/// Outputs q .. q + 3 on four vectors of rows at r. prefetch: also prefetches the next rows; set for the first outputs.
template <class Epilogue, bool prefetch>
HWY_ATTR inline void dense_4x4(const DenseArgs& c, std::size_t q, std::size_t r) {
  if (uses_packed_weights(c)) return dense_packed_4x4<Epilogue, prefetch>(c, q, r);
  const FloatTag d;
  const std::size_t n = hn::Lanes(d);
  const float* w0 = c.weights + q * c.inputs;
  const float* w1 = w0 + c.inputs;
  const float* w2 = w1 + c.inputs;
  const float* w3 = w2 + c.inputs;
  auto s00 = hn::Set(d, c.bias[q]), s10 = hn::Set(d, c.bias[q + 1]);
  auto s20 = hn::Set(d, c.bias[q + 2]), s30 = hn::Set(d, c.bias[q + 3]);
  auto s01 = s00, s11 = s10, s21 = s20, s31 = s30;
  auto s02 = s00, s12 = s10, s22 = s20, s32 = s30;
  auto s03 = s00, s13 = s10, s23 = s20, s33 = s30;
  const std::size_t next = distance_to_next_rows(c, r, 4 * n);
  for (std::size_t p = 0; p < c.inputs; ++p) {
    const float* x = c.in[p] + r;
    prefetch_rows<prefetch>(x + next, 4 * n);
    const auto x0 = hn::Load(d, x), x1 = hn::Load(d, x + n), x2 = hn::Load(d, x + 2 * n), x3 = hn::Load(d, x + 3 * n);
    const auto v0 = hn::Set(d, w0[p]), v1 = hn::Set(d, w1[p]);
    const auto v2 = hn::Set(d, w2[p]), v3 = hn::Set(d, w3[p]);
    s00 = hn::MulAdd(v0, x0, s00), s01 = hn::MulAdd(v0, x1, s01);
    s02 = hn::MulAdd(v0, x2, s02), s03 = hn::MulAdd(v0, x3, s03);
    s10 = hn::MulAdd(v1, x0, s10), s11 = hn::MulAdd(v1, x1, s11);
    s12 = hn::MulAdd(v1, x2, s12), s13 = hn::MulAdd(v1, x3, s13);
    s20 = hn::MulAdd(v2, x0, s20), s21 = hn::MulAdd(v2, x1, s21);
    s22 = hn::MulAdd(v2, x2, s22), s23 = hn::MulAdd(v2, x3, s23);
    s30 = hn::MulAdd(v3, x0, s30), s31 = hn::MulAdd(v3, x1, s31);
    s32 = hn::MulAdd(v3, x2, s32), s33 = hn::MulAdd(v3, x3, s33);
  }
  float* out = c.out + q * c.stride + r;
  store_four<Epilogue>(s00, s01, s02, s03, out), store_four<Epilogue>(s10, s11, s12, s13, out + c.stride);
  store_four<Epilogue>(s20, s21, s22, s23, out + 2 * c.stride),
      store_four<Epilogue>(s30, s31, s32, s33, out + 3 * c.stride);
}

/// All outputs. Groups of four outputs run over the same few rows before the next rows are read, so all groups but the
/// first find them in the L1 cache.
template <class Epilogue>
HWY_ATTR inline void dense_layer(const DenseArgs& c, std::size_t outputs) {
  const std::size_t n = hn::Lanes(FloatTag()), fours = outputs / 4 * 4;
  std::size_t r = 0;
  if (fours > 0) {
    if constexpr (has_32_registers)
      for (; r + 4 * n <= c.rows; r += 4 * n) {
        dense_4x4<Epilogue, prefetches_rows>(c, 0, r);
        for (std::size_t q = 4; q < fours; q += 4) dense_4x4<Epilogue, false>(c, q, r);
      }
    for (; r + 2 * n <= c.rows; r += 2 * n)
      for (std::size_t q = 0; q < fours; q += 4) dense_4x2<Epilogue>(c, q, r);
  }
  for (std::size_t q = 0; r < c.rows && q < fours; ++q) dense_one_output<Epilogue>(c, q, r);
  std::size_t q = fours;
  for (; q + 2 <= outputs; q += 2)
    c.sequential_distance > 0 && q == 0 ? dense_two_outputs<Epilogue, true>(c, q)
                                        : dense_two_outputs<Epilogue, false>(c, q);
  for (; q < outputs; ++q) dense_one_output<Epilogue>(c, q, 0);
}

/// Activates one output in place and meanwhile prefetches the inputs of the next call: the activation is bound by
/// arithmetic and leaves the memory pipes idle.
template <class Formula>
HWY_ATTR inline void activate_and_prefetch(Formula f, const DenseArgs& c, float* values) {
  for (std::size_t r = 0; r < c.rows; r += line_floats) {
    for (std::size_t p = 0; p < c.inputs; ++p) __builtin_prefetch(c.in[p] + r + c.prefetch_distance, 0, 3);
    activate_array(f, values + r, line_floats);
  }
}

/// A hidden layer; activation is an index into activation::All.
HWY_ATTR inline void dense_layer_activated(const DenseArgs& c, std::size_t outputs, std::size_t activation) {
  activation::All::visit(activation, [&](auto formula) HWY_ATTR {
    using Formula = decltype(formula);
    if constexpr (!activates_separately<Formula>) return dense_layer<WithActivation<Formula>>(c, outputs);
    dense_layer<NoActivation>(c, outputs);
    std::size_t q = 0;
    if (c.prefetch_distance > 0) activate_and_prefetch(formula, c, c.out), ++q;
    for (; q < outputs; ++q) activate_array(formula, c.out + q * c.stride, c.rows);
  });
}

}  // namespace accrete::network::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
