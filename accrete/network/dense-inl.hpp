// The forward half of a dense layer over one tile of rows, once per instruction set:
//
//   combine      out_q[r] = finish(bias_q + sum_p weight[q, p] * in_p[r])
//
// in_p points at consecutive rows of input p: a feature inside a tile, or a hidden unit's outputs. Inputs are added in
// their order, one after the other, so an input of weight 0 changes no bit.

#if defined(ACCRETE_NETWORK_DENSE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_NETWORK_DENSE_INL_HPP
#undef ACCRETE_NETWORK_DENSE_INL_HPP
#else
#define ACCRETE_NETWORK_DENSE_INL_HPP
#endif

#include <cstddef>

#include "accrete/network/activate-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::network::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Sums are kept in runs of this many floats, whatever the width of a vector.
inline constexpr std::size_t lane_run = 16;
using Lanes = UnitTag;

/// What becomes of a sum before it leaves its register: nothing,
struct Plain {
  HWY_ATTR HWY_INLINE UnitVector operator()(UnitVector z) const { return z; }
};
/// or a hidden unit's activation.
template <class Formula>
struct Activated {
  HWY_ATTR HWY_INLINE UnitVector operator()(UnitVector z) const { return activated(Formula{}, z); }
};

/// Rows come in multiples of lane_run; output q of row r is out[q * stride + r].
struct Combine {
  const float* const* in;  ///< inputs pointers
  std::size_t inputs;
  const float* weights;  ///< outputs x inputs
  const float* bias;     ///< outputs
  std::size_t rows;
  std::size_t stride;
  float* out;
};

// Sums enough to hide the latency of a multiply-add: 1 output x 8 vectors of rows, 2 x 4, and 4 x 4 where there are 32
// registers, 4 x 2 where there are 16. They are named one by one because vectors of unknown length cannot be put in
// arrays.
//
// A weight is wanted in every lane. x86 loads one number into all lanes as fast as a vector; Arm rather loads four
// neighbouring weights together and multiplies by one lane of them.

inline constexpr bool many_registers = HWY_ARCH_ARM || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL;
inline constexpr bool picks_lanes = HWY_ARCH_ARM;

/// The four weights at w, one of which `weight` picks; where weights are loaded one by one, anything.
HWY_ATTR HWY_INLINE UnitVector four_weights(const float* w) {
  const Lanes d;
  if constexpr (picks_lanes)
    return hn::LoadDup128(d, w);
  else
    return hn::Undefined(d);
}
template <int i>
HWY_ATTR HWY_INLINE UnitVector weight(UnitVector four, const float* w) {
  if constexpr (picks_lanes)
    return hn::Broadcast<i>(four);
  else
    return hn::Set(Lanes(), w[i]);
}

/// One output, from row r on.
template <class Finish>
HWY_ATTR inline void combine_one(const Combine& c, std::size_t q, std::size_t r) {
  const Finish finish;
  const Lanes d;
  const std::size_t n = hn::Lanes(d);
  const float* w = c.weights + q * c.inputs;
  float* out = c.out + q * c.stride;
  for (; r + 8 * n <= c.rows; r += 8 * n) {
    auto s0 = hn::Set(d, c.bias[q]);
    auto s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
    const auto add = [&](const float* x, UnitVector v) HWY_ATTR {
      s0 = hn::MulAdd(v, hn::Load(d, x), s0), s1 = hn::MulAdd(v, hn::Load(d, x + n), s1);
      s2 = hn::MulAdd(v, hn::Load(d, x + 2 * n), s2), s3 = hn::MulAdd(v, hn::Load(d, x + 3 * n), s3);
      s4 = hn::MulAdd(v, hn::Load(d, x + 4 * n), s4), s5 = hn::MulAdd(v, hn::Load(d, x + 5 * n), s5);
      s6 = hn::MulAdd(v, hn::Load(d, x + 6 * n), s6), s7 = hn::MulAdd(v, hn::Load(d, x + 7 * n), s7);
    };
    std::size_t p = 0;
    for (; p + 4 <= c.inputs; p += 4) {
      const auto four = four_weights(w + p);
      add(c.in[p] + r, weight<0>(four, w + p)), add(c.in[p + 1] + r, weight<1>(four, w + p));
      add(c.in[p + 2] + r, weight<2>(four, w + p)), add(c.in[p + 3] + r, weight<3>(four, w + p));
    }
    for (; p < c.inputs; ++p) add(c.in[p] + r, hn::Set(d, w[p]));
    hn::Store(finish(s0), d, out + r), hn::Store(finish(s1), d, out + r + n);
    hn::Store(finish(s2), d, out + r + 2 * n), hn::Store(finish(s3), d, out + r + 3 * n);
    hn::Store(finish(s4), d, out + r + 4 * n), hn::Store(finish(s5), d, out + r + 5 * n);
    hn::Store(finish(s6), d, out + r + 6 * n), hn::Store(finish(s7), d, out + r + 7 * n);
  }
  for (; r < c.rows; r += n) {
    auto s = hn::Set(d, c.bias[q]);
    for (std::size_t p = 0; p < c.inputs; ++p) s = hn::MulAdd(hn::Set(d, w[p]), hn::Load(d, c.in[p] + r), s);
    hn::Store(finish(s), d, out + r);
  }
}

template <class Finish>
HWY_ATTR inline void combine_two(const Combine& c, std::size_t q) {
  const Finish finish;
  const Lanes d;
  const std::size_t n = hn::Lanes(d);
  const float* w0 = c.weights + q * c.inputs;
  const float* w1 = w0 + c.inputs;
  float* out0 = c.out + q * c.stride;
  float* out1 = out0 + c.stride;
  std::size_t r = 0;
  for (; r + 4 * n <= c.rows; r += 4 * n) {
    auto s00 = hn::Set(d, c.bias[q]), s10 = hn::Set(d, c.bias[q + 1]);
    auto s01 = s00, s02 = s00, s03 = s00, s11 = s10, s12 = s10, s13 = s10;
    const auto add = [&](const float* x, UnitVector v0, UnitVector v1) HWY_ATTR {
      const auto x0 = hn::Load(d, x), x1 = hn::Load(d, x + n), x2 = hn::Load(d, x + 2 * n), x3 = hn::Load(d, x + 3 * n);
      s00 = hn::MulAdd(v0, x0, s00), s01 = hn::MulAdd(v0, x1, s01);
      s02 = hn::MulAdd(v0, x2, s02), s03 = hn::MulAdd(v0, x3, s03);
      s10 = hn::MulAdd(v1, x0, s10), s11 = hn::MulAdd(v1, x1, s11);
      s12 = hn::MulAdd(v1, x2, s12), s13 = hn::MulAdd(v1, x3, s13);
    };
    std::size_t p = 0;
    for (; p + 4 <= c.inputs; p += 4) {
      const auto f0 = four_weights(w0 + p), f1 = four_weights(w1 + p);
      add(c.in[p] + r, weight<0>(f0, w0 + p), weight<0>(f1, w1 + p));
      add(c.in[p + 1] + r, weight<1>(f0, w0 + p), weight<1>(f1, w1 + p));
      add(c.in[p + 2] + r, weight<2>(f0, w0 + p), weight<2>(f1, w1 + p));
      add(c.in[p + 3] + r, weight<3>(f0, w0 + p), weight<3>(f1, w1 + p));
    }
    for (; p < c.inputs; ++p) add(c.in[p] + r, hn::Set(d, w0[p]), hn::Set(d, w1[p]));
    hn::Store(finish(s00), d, out0 + r), hn::Store(finish(s01), d, out0 + r + n);
    hn::Store(finish(s02), d, out0 + r + 2 * n), hn::Store(finish(s03), d, out0 + r + 3 * n);
    hn::Store(finish(s10), d, out1 + r), hn::Store(finish(s11), d, out1 + r + n);
    hn::Store(finish(s12), d, out1 + r + 2 * n), hn::Store(finish(s13), d, out1 + r + 3 * n);
  }
  for (std::size_t left = q; r < c.rows && left < q + 2; ++left) combine_one<Finish>(c, left, r);
}

/// Four outputs on two vectors of rows, from r on.
template <class Finish>
HWY_ATTR inline void combine_four_by_two(const Combine& c, std::size_t q, std::size_t r) {
  const Finish finish;
  const Lanes d;
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
  hn::Store(finish(s00), d, out), hn::Store(finish(s01), d, out + n);
  hn::Store(finish(s10), d, out + c.stride), hn::Store(finish(s11), d, out + c.stride + n);
  hn::Store(finish(s20), d, out + 2 * c.stride), hn::Store(finish(s21), d, out + 2 * c.stride + n);
  hn::Store(finish(s30), d, out + 3 * c.stride), hn::Store(finish(s31), d, out + 3 * c.stride + n);
}

/// Four outputs on four vectors of rows, from r on.
template <class Finish>
HWY_ATTR inline void combine_four_by_four(const Combine& c, std::size_t q, std::size_t r) {
  const Finish finish;
  const Lanes d;
  const std::size_t n = hn::Lanes(d);
  const float* w0 = c.weights + q * c.inputs;
  const float* w1 = w0 + c.inputs;
  const float* w2 = w1 + c.inputs;
  const float* w3 = w2 + c.inputs;
  float* out = c.out + q * c.stride + r;
  auto s00 = hn::Set(d, c.bias[q]), s10 = hn::Set(d, c.bias[q + 1]);
  auto s20 = hn::Set(d, c.bias[q + 2]), s30 = hn::Set(d, c.bias[q + 3]);
  auto s01 = s00, s11 = s10, s21 = s20, s31 = s30;
  auto s02 = s00, s12 = s10, s22 = s20, s32 = s30;
  auto s03 = s00, s13 = s10, s23 = s20, s33 = s30;
  for (std::size_t p = 0; p < c.inputs; ++p) {
    const float* x = c.in[p] + r;
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
  hn::Store(finish(s00), d, out), hn::Store(finish(s01), d, out + n);
  hn::Store(finish(s02), d, out + 2 * n), hn::Store(finish(s03), d, out + 3 * n);
  out += c.stride;
  hn::Store(finish(s10), d, out), hn::Store(finish(s11), d, out + n);
  hn::Store(finish(s12), d, out + 2 * n), hn::Store(finish(s13), d, out + 3 * n);
  out += c.stride;
  hn::Store(finish(s20), d, out), hn::Store(finish(s21), d, out + n);
  hn::Store(finish(s22), d, out + 2 * n), hn::Store(finish(s23), d, out + 3 * n);
  out += c.stride;
  hn::Store(finish(s30), d, out), hn::Store(finish(s31), d, out + n);
  hn::Store(finish(s32), d, out + 2 * n), hn::Store(finish(s33), d, out + 3 * n);
}

/// Outputs by four on the same few rows, so that those come from the first-level cache for all but the first four.
template <class Finish>
HWY_ATTR inline void combine(const Combine& c, std::size_t outputs) {
  const std::size_t n = hn::Lanes(Lanes()), fours = outputs / 4 * 4;
  std::size_t r = 0;
  if (fours > 0) {
    if constexpr (many_registers)
      for (; r + 4 * n <= c.rows; r += 4 * n)
        for (std::size_t q = 0; q < fours; q += 4) combine_four_by_four<Finish>(c, q, r);
    for (; r + 2 * n <= c.rows; r += 2 * n)
      for (std::size_t q = 0; q < fours; q += 4) combine_four_by_two<Finish>(c, q, r);
  }
  for (std::size_t q = 0; r < c.rows && q < fours; ++q) combine_one<Finish>(c, q, r);
  std::size_t q = fours;
  for (; q + 2 <= outputs; q += 2) combine_two<Finish>(c, q);
  for (; q < outputs; ++q) combine_one<Finish>(c, q, 0);
}

/// Arm's processors look less far ahead than x86's: sums that wait for an activation hold up the products after them.
inline constexpr bool activate_apart = HWY_ARCH_ARM;

/// A hidden layer, its activation chosen by the index in the list.
HWY_ATTR inline void combine_activated(const Combine& c, std::size_t outputs, std::size_t activation) {
  if constexpr (activate_apart) combine<Plain>(c, outputs);
  activation::All::visit(activation, [&](auto formula) HWY_ATTR {
    if constexpr (!activate_apart)
      combine<Activated<decltype(formula)>>(c, outputs);
    else
      for (std::size_t q = 0; q < outputs; ++q) activate_run(formula, c.out + q * c.stride, c.rows);
  });
}

}  // namespace accrete::network::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
