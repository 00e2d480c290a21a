// One output of a dense layer over a tile of rows; see network/kernels/dense-inl.hpp.

#if defined(ACCRETE_NETWORK_DENSE_SINGLE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_NETWORK_DENSE_SINGLE_INL_HPP
#undef ACCRETE_NETWORK_DENSE_SINGLE_INL_HPP
#else
#define ACCRETE_NETWORK_DENSE_SINGLE_INL_HPP
#endif

#include <cstddef>

#include "accrete/network/kernels/dense_ops-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::network::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Output q, eight vectors of rows at a time from row r; returns the first row not done. strided: inputs are
/// input_stride apart, so no pointers are loaded; otherwise pointers are loaded four inputs ahead.
template <class Epilogue, bool strided>
HWY_ATTR inline std::size_t dense_1x8(const DenseArgs& c, std::size_t q, std::size_t r) {
  const Epilogue epilogue;
  const FloatTag d;
  const std::size_t n = hn::Lanes(d), inputs = c.inputs, fours = inputs / 4 * 4, stride = c.input_stride, rows = c.rows;
  const float* const* in = c.in;
  const float* w = c.weights + q * inputs;
  float* out = c.out + q * c.stride;
  const auto bias = hn::Set(d, c.bias[q]);
  const bool prefetch = c.sequential_distance > 0 && q == 0;
  for (; r + 8 * n <= rows; r += 8 * n) {
    auto s0 = bias, s1 = bias, s2 = bias, s3 = bias, s4 = bias, s5 = bias, s6 = bias, s7 = bias;
    const std::size_t next = distance_to_next_rows(c, r, 8 * n);
    const auto add = [&](const float* x, FloatVector v) HWY_ATTR {
      FloatVector a, b;
      prefetch_rows<prefetches_rows>(x + next, 8 * n);
      load_pair<0>(x, a, b), s0 = hn::MulAdd(v, a, s0), s1 = hn::MulAdd(v, b, s1);
      load_pair<2>(x, a, b), s2 = hn::MulAdd(v, a, s2), s3 = hn::MulAdd(v, b, s3);
      load_pair<4>(x, a, b), s4 = hn::MulAdd(v, a, s4), s5 = hn::MulAdd(v, b, s5);
      load_pair<6>(x, a, b), s6 = hn::MulAdd(v, a, s6), s7 = hn::MulAdd(v, b, s7);
    };
    const float* x = in[0] + r;
    std::size_t p = 0;
    if (strided) {
      for (; p < fours; p += 4, x += 4 * stride) {
        const auto four = load_four_weights(w + p);
        if (prefetch) prefetch_next_tile(c, r, p * 8 * n, (p + 4) * 8 * n);
        add(x, broadcast_weight<0>(four, w + p)), add(x + stride, broadcast_weight<1>(four, w + p));
        add(x + 2 * stride, broadcast_weight<2>(four, w + p)), add(x + 3 * stride, broadcast_weight<3>(four, w + p));
      }
    } else if (fours > 0) {
      const float *x0 = x, *x1 = in[1] + r, *x2 = in[2] + r, *x3 = in[3] + r;
      for (std::size_t following; p < fours; p += 4) {
        following = p + 4 < fours ? p + 4 : p;
        const auto four = load_four_weights(w + p);
        const float *y0 = in[following], *y1 = in[following + 1], *y2 = in[following + 2], *y3 = in[following + 3];
        add(x0, broadcast_weight<0>(four, w + p)), add(x1, broadcast_weight<1>(four, w + p));
        add(x2, broadcast_weight<2>(four, w + p)), add(x3, broadcast_weight<3>(four, w + p));
        x0 = y0 + r, x1 = y1 + r, x2 = y2 + r, x3 = y3 + r;
      }
    }
    for (; p < inputs; ++p) {
      add(strided ? x : in[p] + r, hn::Set(d, w[p]));
      x += stride;
    }
    float* to = out + r;
    hn::Store(epilogue(s0), d, to), hn::Store(epilogue(s1), d, to + n);
    hn::Store(epilogue(s2), d, to + 2 * n), hn::Store(epilogue(s3), d, to + 3 * n);
    hn::Store(epilogue(s4), d, to + 4 * n), hn::Store(epilogue(s5), d, to + 5 * n);
    hn::Store(epilogue(s6), d, to + 6 * n), hn::Store(epilogue(s7), d, to + 7 * n);
  }
  return r;
}

/// Output q from row r to the last.
template <class Epilogue>
HWY_ATTR inline void dense_one_output(const DenseArgs& c, std::size_t q, std::size_t r) {
  const Epilogue epilogue;
  const FloatTag d;
  const std::size_t n = hn::Lanes(d);
  const float* w = c.weights + q * c.inputs;
  float* out = c.out + q * c.stride;
  r = c.input_stride > 0 ? dense_1x8<Epilogue, true>(c, q, r) : dense_1x8<Epilogue, false>(c, q, r);
  for (; r + 4 * n <= c.rows; r += 4 * n) {
    auto s0 = hn::Set(d, c.bias[q]), s1 = s0, s2 = s0, s3 = s0;
    for (std::size_t p = 0; p < c.inputs; ++p) {
      const auto v = hn::Set(d, w[p]);
      const float* x = c.in[p] + r;
      s0 = hn::MulAdd(v, hn::Load(d, x), s0), s1 = hn::MulAdd(v, hn::Load(d, x + n), s1);
      s2 = hn::MulAdd(v, hn::Load(d, x + 2 * n), s2), s3 = hn::MulAdd(v, hn::Load(d, x + 3 * n), s3);
    }
    hn::Store(epilogue(s0), d, out + r), hn::Store(epilogue(s1), d, out + r + n);
    hn::Store(epilogue(s2), d, out + r + 2 * n), hn::Store(epilogue(s3), d, out + r + 3 * n);
  }
  for (; r < c.rows; r += n) {
    auto s = hn::Set(d, c.bias[q]);
    for (std::size_t p = 0; p < c.inputs; ++p) s = hn::MulAdd(hn::Set(d, w[p]), hn::Load(d, c.in[p] + r), s);
    hn::Store(epilogue(s), d, out + r);
  }
}

}  // namespace accrete::network::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
