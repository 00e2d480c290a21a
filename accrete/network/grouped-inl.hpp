// Products of a dense layer (network/dense-inl.hpp) whose weights lie in groups (network/grouped.hpp) and whose inputs
// are equally spaced: an input takes one load of weights, and its address is that of the one before plus a number. Four
// outputs go with four vectors of rows, two with eight: sixteen sums, as many as Arm's processors keep at work.

#if defined(ACCRETE_NETWORK_GROUPED_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_NETWORK_GROUPED_INL_HPP
#undef ACCRETE_NETWORK_GROUPED_INL_HPP
#else
#define ACCRETE_NETWORK_GROUPED_INL_HPP
#endif

#include <cstddef>

#include "accrete/network/one_output-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::network::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

HWY_ATTR HWY_INLINE bool is_grouped(const Combine& c) {
  return picks_lanes && c.grouped && c.spacing > 0;
}

template <class Finish>
HWY_ATTR HWY_INLINE void put_four(UnitVector s0, UnitVector s1, UnitVector s2, UnitVector s3, float* out) {
  const Finish finish;
  const Lanes d;
  const std::size_t n = hn::Lanes(d);
  hn::Store(finish(s0), d, out), hn::Store(finish(s1), d, out + n);
  hn::Store(finish(s2), d, out + 2 * n), hn::Store(finish(s3), d, out + 3 * n);
}

/// Four outputs on four vectors of rows, from r on. fetch: these are the first to read those rows, and fetch the next.
template <class Finish, bool fetch>
HWY_ATTR inline void combine_four_grouped(const Combine& c, std::size_t q, std::size_t r) {
  const Lanes d;
  const std::size_t n = hn::Lanes(d), inputs = c.inputs, spacing = c.spacing;
  auto s00 = hn::Set(d, c.bias[q]), s10 = hn::Set(d, c.bias[q + 1]);
  auto s20 = hn::Set(d, c.bias[q + 2]), s30 = hn::Set(d, c.bias[q + 3]);
  auto s01 = s00, s11 = s10, s21 = s20, s31 = s30;
  auto s02 = s00, s12 = s10, s22 = s20, s32 = s30;
  auto s03 = s00, s13 = s10, s23 = s20, s33 = s30;
  const std::size_t next = to_next_rows(c, r, 4 * n);
  const float *x = c.in[0] + r, *w = c.grouped + q * inputs;
#pragma GCC unroll 1  // the compiler finds a worse order for the products of several inputs
  for (std::size_t p = 0; p < inputs; ++p, x += spacing, w += 4) {
    fetch_rows<fetch>(x + next, 4 * n);
    const auto x0 = hn::Load(d, x), x1 = hn::Load(d, x + n), x2 = hn::Load(d, x + 2 * n), x3 = hn::Load(d, x + 3 * n);
    const auto v = four_weights(w);
    s00 = add_product<0>(v, w, x0, s00), s01 = add_product<0>(v, w, x1, s01);
    s02 = add_product<0>(v, w, x2, s02), s03 = add_product<0>(v, w, x3, s03);
    s10 = add_product<1>(v, w, x0, s10), s11 = add_product<1>(v, w, x1, s11);
    s12 = add_product<1>(v, w, x2, s12), s13 = add_product<1>(v, w, x3, s13);
    s20 = add_product<2>(v, w, x0, s20), s21 = add_product<2>(v, w, x1, s21);
    s22 = add_product<2>(v, w, x2, s22), s23 = add_product<2>(v, w, x3, s23);
    s30 = add_product<3>(v, w, x0, s30), s31 = add_product<3>(v, w, x1, s31);
    s32 = add_product<3>(v, w, x2, s32), s33 = add_product<3>(v, w, x3, s33);
  }
  float* out = c.out + q * c.stride + r;
  put_four<Finish>(s00, s01, s02, s03, out), put_four<Finish>(s10, s11, s12, s13, out + c.stride);
  put_four<Finish>(s20, s21, s22, s23, out + 2 * c.stride), put_four<Finish>(s30, s31, s32, s33, out + 3 * c.stride);
}

/// Two outputs on eight vectors of rows at a time, as far as that goes; returns how far. Of the four weights that are
/// loaded the last two are the next input's, or whatever follows the last one.
template <class Finish>
HWY_ATTR inline std::size_t combine_two_grouped(const Combine& c, std::size_t q) {
  const Lanes d;
  const std::size_t n = hn::Lanes(d), inputs = c.inputs, spacing = c.spacing;
  std::size_t r = 0;
  for (; r + 8 * n <= c.rows; r += 8 * n) {
    auto s00 = hn::Set(d, c.bias[q]), s10 = hn::Set(d, c.bias[q + 1]);
    auto s01 = s00, s02 = s00, s03 = s00, s04 = s00, s05 = s00, s06 = s00, s07 = s00;
    auto s11 = s10, s12 = s10, s13 = s10, s14 = s10, s15 = s10, s16 = s10, s17 = s10;
    const std::size_t next = to_next_rows(c, r, 8 * n);
    const float *x = c.in[0] + r, *w = c.grouped + q * inputs;
#pragma GCC unroll 1
    for (std::size_t p = 0; p < inputs; ++p, x += spacing, w += 2) {
      fetch_rows<fetches_rows>(x + next, 8 * n);
      const auto v = four_weights(w);
      auto a = v, b = v;
      const auto add = [&](UnitVector row, UnitVector& s0, UnitVector& s1)
                           HWY_ATTR { s0 = add_product<0>(v, w, row, s0), s1 = add_product<1>(v, w, row, s1); };
      load_two<0>(x, a, b), add(a, s00, s10), add(b, s01, s11);
      load_two<2>(x, a, b), add(a, s02, s12), add(b, s03, s13);
      load_two<4>(x, a, b), add(a, s04, s14), add(b, s05, s15);
      load_two<6>(x, a, b), add(a, s06, s16), add(b, s07, s17);
    }
    float* out = c.out + q * c.stride + r;
    put_four<Finish>(s00, s01, s02, s03, out), put_four<Finish>(s04, s05, s06, s07, out + 4 * n);
    out += c.stride;
    put_four<Finish>(s10, s11, s12, s13, out), put_four<Finish>(s14, s15, s16, s17, out + 4 * n);
  }
  return r;
}

}  // namespace accrete::network::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
