// Dense-layer kernels on packed weights (network/packed_weights.hpp) and inputs at a constant stride: one load fetches
// an input's weights for all outputs of a group, and input addresses need no pointer table. A block has 16
// accumulators, enough to keep an Arm core's multiply-add units busy: 4 outputs x 4 vectors of rows, or 2 x 8.

#if defined(ACCRETE_NETWORK_DENSE_PACKED_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_NETWORK_DENSE_PACKED_INL_HPP
#undef ACCRETE_NETWORK_DENSE_PACKED_INL_HPP
#else
#define ACCRETE_NETWORK_DENSE_PACKED_INL_HPP
#endif

#include <cstddef>

#include "accrete/network/kernels/dense_ops-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::network::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// True if the packed kernels apply to this layer.
HWY_ATTR HWY_INLINE bool uses_packed_weights(const DenseArgs& c) {
  return multiplies_by_lane && c.packed && c.input_stride > 0;
}

/// Outputs q .. q + 3 on four vectors of rows at r. prefetch: also prefetches the next rows; set for the first outputs.
template <class Epilogue, bool prefetch>
HWY_ATTR inline void dense_packed_4x4(const DenseArgs& c, std::size_t q, std::size_t r) {
  const FloatTag d;
  const std::size_t n = hn::Lanes(d), inputs = c.inputs, input_stride = c.input_stride;
  auto s00 = hn::Set(d, c.bias[q]), s10 = hn::Set(d, c.bias[q + 1]);
  auto s20 = hn::Set(d, c.bias[q + 2]), s30 = hn::Set(d, c.bias[q + 3]);
  auto s01 = s00, s11 = s10, s21 = s20, s31 = s30;
  auto s02 = s00, s12 = s10, s22 = s20, s32 = s30;
  auto s03 = s00, s13 = s10, s23 = s20, s33 = s30;
  const std::size_t next = distance_to_next_rows(c, r, 4 * n);
  const float *x = c.in[0] + r, *w = c.packed + q * inputs;
#pragma GCC unroll 1  // unrolled, the compiler schedules the products worse
  for (std::size_t p = 0; p < inputs; ++p, x += input_stride, w += 4) {
    prefetch_rows<prefetch>(x + next, 4 * n);
    const auto x0 = hn::Load(d, x), x1 = hn::Load(d, x + n), x2 = hn::Load(d, x + 2 * n), x3 = hn::Load(d, x + 3 * n);
    const auto v = load_four_weights(w);
    s00 = mul_add_weight<0>(v, w, x0, s00), s01 = mul_add_weight<0>(v, w, x1, s01);
    s02 = mul_add_weight<0>(v, w, x2, s02), s03 = mul_add_weight<0>(v, w, x3, s03);
    s10 = mul_add_weight<1>(v, w, x0, s10), s11 = mul_add_weight<1>(v, w, x1, s11);
    s12 = mul_add_weight<1>(v, w, x2, s12), s13 = mul_add_weight<1>(v, w, x3, s13);
    s20 = mul_add_weight<2>(v, w, x0, s20), s21 = mul_add_weight<2>(v, w, x1, s21);
    s22 = mul_add_weight<2>(v, w, x2, s22), s23 = mul_add_weight<2>(v, w, x3, s23);
    s30 = mul_add_weight<3>(v, w, x0, s30), s31 = mul_add_weight<3>(v, w, x1, s31);
    s32 = mul_add_weight<3>(v, w, x2, s32), s33 = mul_add_weight<3>(v, w, x3, s33);
  }
  float* out = c.out + q * c.stride + r;
  store_four<Epilogue>(s00, s01, s02, s03, out), store_four<Epilogue>(s10, s11, s12, s13, out + c.stride);
  store_four<Epilogue>(s20, s21, s22, s23, out + 2 * c.stride),
      store_four<Epilogue>(s30, s31, s32, s33, out + 3 * c.stride);
}

/// Outputs q and q + 1, eight vectors of rows at a time; returns the first row not done. Each load of four weights also
/// fetches two of the next input or, past the last input, the two floats of padding after `packed`.
template <class Epilogue>
HWY_ATTR inline std::size_t dense_packed_2x8(const DenseArgs& c, std::size_t q) {
  const FloatTag d;
  const std::size_t n = hn::Lanes(d), inputs = c.inputs, input_stride = c.input_stride;
  std::size_t r = 0;
  for (; r + 8 * n <= c.rows; r += 8 * n) {
    auto s00 = hn::Set(d, c.bias[q]), s10 = hn::Set(d, c.bias[q + 1]);
    auto s01 = s00, s02 = s00, s03 = s00, s04 = s00, s05 = s00, s06 = s00, s07 = s00;
    auto s11 = s10, s12 = s10, s13 = s10, s14 = s10, s15 = s10, s16 = s10, s17 = s10;
    const std::size_t next = distance_to_next_rows(c, r, 8 * n);
    const float *x = c.in[0] + r, *w = c.packed + q * inputs;
#pragma GCC unroll 1
    for (std::size_t p = 0; p < inputs; ++p, x += input_stride, w += 2) {
      prefetch_rows<prefetches_rows>(x + next, 8 * n);
      const auto v = load_four_weights(w);
      auto a = v, b = v;
      const auto add = [&](FloatVector row, FloatVector& s0, FloatVector& s1)
                           HWY_ATTR { s0 = mul_add_weight<0>(v, w, row, s0), s1 = mul_add_weight<1>(v, w, row, s1); };
      load_pair<0>(x, a, b), add(a, s00, s10), add(b, s01, s11);
      load_pair<2>(x, a, b), add(a, s02, s12), add(b, s03, s13);
      load_pair<4>(x, a, b), add(a, s04, s14), add(b, s05, s15);
      load_pair<6>(x, a, b), add(a, s06, s16), add(b, s07, s17);
    }
    float* out = c.out + q * c.stride + r;
    store_four<Epilogue>(s00, s01, s02, s03, out), store_four<Epilogue>(s04, s05, s06, s07, out + 4 * n);
    out += c.stride;
    store_four<Epilogue>(s10, s11, s12, s13, out), store_four<Epilogue>(s14, s15, s16, s17, out + 4 * n);
  }
  return r;
}

}  // namespace accrete::network::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
