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
#include "accrete/network/grouped-inl.hpp"
#include "accrete/network/one_output-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::network::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class Finish, bool fetch>
HWY_ATTR inline void combine_two(const Combine& c, std::size_t q) {
  const Finish finish;
  const Lanes d;
  const std::size_t n = hn::Lanes(d);
  const float* w0 = c.weights + q * c.inputs;
  const float* w1 = w0 + c.inputs;
  float* out0 = c.out + q * c.stride;
  float* out1 = out0 + c.stride;
  std::size_t r = !fetch && is_grouped(c) ? combine_two_grouped<Finish>(c, q) : 0;
  for (; r + 4 * n <= c.rows; r += 4 * n) {
    auto s00 = hn::Set(d, c.bias[q]), s10 = hn::Set(d, c.bias[q + 1]);
    auto s01 = s00, s02 = s00, s03 = s00, s11 = s10, s12 = s10, s13 = s10;
    const std::size_t next = to_next_rows(c, r, 4 * n);
    const auto add = [&](const float* x, UnitVector v0, UnitVector v1) HWY_ATTR {
      fetch_rows<fetches_rows>(x + next, 4 * n);
      const auto x0 = hn::Load(d, x), x1 = hn::Load(d, x + n), x2 = hn::Load(d, x + 2 * n), x3 = hn::Load(d, x + 3 * n);
      s00 = hn::MulAdd(v0, x0, s00), s01 = hn::MulAdd(v0, x1, s01);
      s02 = hn::MulAdd(v0, x2, s02), s03 = hn::MulAdd(v0, x3, s03);
      s10 = hn::MulAdd(v1, x0, s10), s11 = hn::MulAdd(v1, x1, s11);
      s12 = hn::MulAdd(v1, x2, s12), s13 = hn::MulAdd(v1, x3, s13);
    };
    std::size_t p = 0;
    for (; p + 4 <= c.inputs; p += 4) {
      const auto f0 = four_weights(w0 + p), f1 = four_weights(w1 + p);
      if constexpr (fetch) fetch_piece(c, r, p * 4 * n, (p + 4) * 4 * n);
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

/// Four outputs on four vectors of rows, from r on. fetch: these are the first to read those rows, and fetch the next.
template <class Finish, bool fetch>
HWY_ATTR inline void combine_four_by_four(const Combine& c, std::size_t q, std::size_t r) {
  if (is_grouped(c)) return combine_four_grouped<Finish, fetch>(c, q, r);
  const Lanes d;
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
  const std::size_t next = to_next_rows(c, r, 4 * n);
  for (std::size_t p = 0; p < c.inputs; ++p) {
    const float* x = c.in[p] + r;
    fetch_rows<fetch>(x + next, 4 * n);
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
  put_four<Finish>(s00, s01, s02, s03, out), put_four<Finish>(s10, s11, s12, s13, out + c.stride);
  put_four<Finish>(s20, s21, s22, s23, out + 2 * c.stride), put_four<Finish>(s30, s31, s32, s33, out + 3 * c.stride);
}

/// Outputs by four on the same few rows, so that those come from the first-level cache for all but the first four.
template <class Finish>
HWY_ATTR inline void combine(const Combine& c, std::size_t outputs) {
  const std::size_t n = hn::Lanes(Lanes()), fours = outputs / 4 * 4;
  std::size_t r = 0;
  if (fours > 0) {
    if constexpr (many_registers)
      for (; r + 4 * n <= c.rows; r += 4 * n) {
        combine_four_by_four<Finish, fetches_rows>(c, 0, r);
        for (std::size_t q = 4; q < fours; q += 4) combine_four_by_four<Finish, false>(c, q, r);
      }
    for (; r + 2 * n <= c.rows; r += 2 * n)
      for (std::size_t q = 0; q < fours; q += 4) combine_four_by_two<Finish>(c, q, r);
  }
  for (std::size_t q = 0; r < c.rows && q < fours; ++q) combine_one<Finish>(c, q, r);
  std::size_t q = fours;
  for (; q + 2 <= outputs; q += 2)
    c.piece_ahead > 0 && q == 0 ? combine_two<Finish, true>(c, q) : combine_two<Finish, false>(c, q);
  for (; q < outputs; ++q) combine_one<Finish>(c, q, 0);
}

/// The activation of a whole output, which reads little: time to fetch what the next products will read.
template <class Formula>
HWY_ATTR inline void activate_fetching(Formula f, const Combine& c, float* values) {
  for (std::size_t r = 0; r < c.rows; r += lane_run) {
    for (std::size_t p = 0; p < c.inputs; ++p) __builtin_prefetch(c.in[p] + r + c.ahead, 0, 3);
    activate_run(f, values + r, lane_run);
  }
}

/// A hidden layer, its activation chosen by the index in the list.
HWY_ATTR inline void combine_activated(const Combine& c, std::size_t outputs, std::size_t activation) {
  activation::All::visit(activation, [&](auto formula) HWY_ATTR {
    using Formula = decltype(formula);
    if constexpr (!activate_apart<Formula>) return combine<Activated<Formula>>(c, outputs);
    combine<Plain>(c, outputs);
    std::size_t q = 0;
    if (c.ahead > 0) activate_fetching(formula, c, c.out), ++q;
    for (; q < outputs; ++q) activate_run(formula, c.out + q * c.stride, c.rows);
  });
}

}  // namespace accrete::network::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
