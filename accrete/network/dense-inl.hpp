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

// Eight accumulators hide the latency of a multiply-add: 1 output x 8 vectors of rows, 2 x 4, or 4 x 2.
// They are named one by one because vectors of unknown length cannot be put in arrays.

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
    for (std::size_t p = 0; p < c.inputs; ++p) {
      const float* x = c.in[p] + r;
      const auto v = hn::Set(d, w[p]);
      s0 = hn::MulAdd(v, hn::Load(d, x), s0);
      s1 = hn::MulAdd(v, hn::Load(d, x + n), s1);
      s2 = hn::MulAdd(v, hn::Load(d, x + 2 * n), s2);
      s3 = hn::MulAdd(v, hn::Load(d, x + 3 * n), s3);
      s4 = hn::MulAdd(v, hn::Load(d, x + 4 * n), s4);
      s5 = hn::MulAdd(v, hn::Load(d, x + 5 * n), s5);
      s6 = hn::MulAdd(v, hn::Load(d, x + 6 * n), s6);
      s7 = hn::MulAdd(v, hn::Load(d, x + 7 * n), s7);
    }
    hn::Store(finish(s0), d, out + r);
    hn::Store(finish(s1), d, out + r + n);
    hn::Store(finish(s2), d, out + r + 2 * n);
    hn::Store(finish(s3), d, out + r + 3 * n);
    hn::Store(finish(s4), d, out + r + 4 * n);
    hn::Store(finish(s5), d, out + r + 5 * n);
    hn::Store(finish(s6), d, out + r + 6 * n);
    hn::Store(finish(s7), d, out + r + 7 * n);
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
    for (std::size_t p = 0; p < c.inputs; ++p) {
      const float* x = c.in[p] + r;
      const auto x0 = hn::Load(d, x), x1 = hn::Load(d, x + n), x2 = hn::Load(d, x + 2 * n), x3 = hn::Load(d, x + 3 * n);
      const auto v0 = hn::Set(d, w0[p]), v1 = hn::Set(d, w1[p]);
      s00 = hn::MulAdd(v0, x0, s00), s01 = hn::MulAdd(v0, x1, s01);
      s02 = hn::MulAdd(v0, x2, s02), s03 = hn::MulAdd(v0, x3, s03);
      s10 = hn::MulAdd(v1, x0, s10), s11 = hn::MulAdd(v1, x1, s11);
      s12 = hn::MulAdd(v1, x2, s12), s13 = hn::MulAdd(v1, x3, s13);
    }
    hn::Store(finish(s00), d, out0 + r), hn::Store(finish(s01), d, out0 + r + n);
    hn::Store(finish(s02), d, out0 + r + 2 * n), hn::Store(finish(s03), d, out0 + r + 3 * n);
    hn::Store(finish(s10), d, out1 + r), hn::Store(finish(s11), d, out1 + r + n);
    hn::Store(finish(s12), d, out1 + r + 2 * n), hn::Store(finish(s13), d, out1 + r + 3 * n);
  }
  for (std::size_t left = q; r < c.rows && left < q + 2; ++left) combine_one<Finish>(c, left, r);
}

/// Two vectors of rows, from r on.
template <class Finish>
HWY_ATTR inline void combine_four(const Combine& c, std::size_t q, std::size_t r) {
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

/// Outputs by four on the same few rows, so that those come from the first-level cache for all but the first four.
template <class Finish>
HWY_ATTR inline void combine(const Combine& c, std::size_t outputs) {
  const std::size_t step = 2 * hn::Lanes(Lanes());
  const std::size_t fours = outputs / 4 * 4;
  std::size_t r = 0;
  if (fours > 0)
    for (; r + step <= c.rows; r += step)
      for (std::size_t q = 0; q < fours; q += 4) combine_four<Finish>(c, q, r);
  for (std::size_t q = 0; r < c.rows && q < fours; ++q) combine_one<Finish>(c, q, r);
  std::size_t q = fours;
  for (; q + 2 <= outputs; q += 2) combine_two<Finish>(c, q);
  for (; q < outputs; ++q) combine_one<Finish>(c, q, 0);
}

/// A hidden layer, its activation chosen by the index in the list.
HWY_ATTR inline void combine_activated(const Combine& c, std::size_t outputs, std::size_t activation) {
  activation::All::visit(activation, [&](auto formula) HWY_ATTR { combine<Activated<decltype(formula)>>(c, outputs); });
}

}  // namespace accrete::network::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
