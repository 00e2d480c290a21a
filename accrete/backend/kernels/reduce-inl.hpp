// Reduces accumulators, which hold one float per vector lane, to double. Compiled once per instruction set.

#if defined(ACCRETE_BACKEND_REDUCE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_BACKEND_REDUCE_INL_HPP
#undef ACCRETE_BACKEND_REDUCE_INL_HPP
#else
#define ACCRETE_BACKEND_REDUCE_INL_HPP
#endif

#include <algorithm>
#include <cstddef>

#include "accrete/backend/kernels/evaluate_kernel.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using DoubleTag = hn::CappedTag<double, line_floats / 2>;

/// Loads an accumulator as one vector of doubles, the sum of its halves. With vectors of line_floats lanes the halves
/// are added before promotion, which halves the work.
HWY_ATTR HWY_INLINE hn::Vec<DoubleTag> load_promoted(const float* lanes) {
  const DoubleTag wide;
  const hn::Rebind<float, DoubleTag> narrow;
  const std::size_t n = hn::Lanes(wide), all = hn::Lanes(hn::CappedTag<float, line_floats>());
  const auto lower = hn::Load(narrow, lanes);
  if (all == line_floats) return hn::PromoteTo(wide, hn::Add(lower, hn::Load(narrow, lanes + n)));
  const auto sum = hn::PromoteTo(wide, lower);
  return all > n ? hn::Add(sum, hn::PromoteTo(wide, hn::Load(narrow, lanes + n))) : sum;
}

/// Reduces one accumulator.
HWY_ATTR inline double reduce_lanes(const float* lanes) {
  return hn::GetLane(hn::SumOfLanes(DoubleTag(), load_promoted(lanes)));
}

/// Reduces four accumulators, `stride` floats apart. From AVX2 on, transposes while adding, which needs the fewest
/// additions.
HWY_ATTR inline void reduce_four(const float* lanes, std::size_t stride, double* sums) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  const DoubleTag wide;
  const auto a = load_promoted(lanes), b = load_promoted(lanes + stride);
  const auto c = load_promoted(lanes + 2 * stride), e = load_promoted(lanes + 3 * stride);
  const auto ab = hn::Add(hn::InterleaveLower(wide, a, b), hn::InterleaveUpper(wide, a, b));
  const auto ce = hn::Add(hn::InterleaveLower(wide, c, e), hn::InterleaveUpper(wide, c, e));
  const auto all = hn::Add(hn::ConcatLowerLower(wide, ce, ab), hn::ConcatUpperUpper(wide, ce, ab));
#if HWY_TARGET <= HWY_AVX3
  const hn::Half<hn::Half<DoubleTag>> two;
  const auto total = hn::Add(all, hn::SwapAdjacentBlocks(all));
  hn::StoreU(hn::LowerHalf(hn::LowerHalf(total)), two, sums);
  hn::StoreU(hn::LowerHalf(hn::UpperHalf(hn::Half<DoubleTag>(), total)), two, sums + 2);
#else
  hn::StoreU(all, wide, sums);
#endif
#else
  for (std::size_t i = 0; i < 4; ++i) sums[i] = reduce_lanes(lanes + i * stride);
#endif
}

/// Calls store(i, sum of accumulator i) for `count` accumulators, `stride` floats apart.
template <class Store>
HWY_ATTR inline void reduce_each(const float* lanes, std::size_t stride, std::size_t count, const Store& store) {
  std::size_t i = 0;
  for (double four[4]; i + 4 <= count; i += 4) {
    reduce_four(lanes + i * stride, stride, four);
    store(i, four[0]), store(i + 1, four[1]), store(i + 2, four[2]), store(i + 3, four[3]);
  }
  for (; i < count; ++i) store(i, reduce_lanes(lanes + i * stride));
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
/// Reduces sixteen accumulators, of which the first `count` are valid, to the lanes of one vector. Adds in float as a
/// tree: two accumulators are halved and share a vector, then four do, and so on. The four extra roundings are
/// negligible compared to those over the rows, and a sum takes a third of the time.
HWY_ATTR HWY_INLINE __m512 reduce_sixteen(const float* lanes, std::size_t stride, std::size_t count) {
  const auto load = [&](std::size_t i) HWY_ATTR { return _mm512_load_ps(lanes + (i < count ? i : 0) * stride); };
  const auto halves = [&](std::size_t i, std::size_t j) HWY_ATTR {
    const __m512 a = load(i), b = load(j);
    return _mm512_add_ps(_mm512_mask_blend_ps(0xff00, a, b), _mm512_shuffle_f32x4(a, b, 0x4e));
  };
  const auto quarters = [&](std::size_t i) HWY_ATTR {
    const __m512 a = halves(i, i + 4), b = halves(i + 8, i + 12);
    return _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x88), _mm512_shuffle_f32x4(a, b, 0xdd));
  };
  const auto pairs = [&](std::size_t i) HWY_ATTR {
    const __m512 a = quarters(i), b = quarters(i + 1);
    return _mm512_add_ps(_mm512_mask_blend_ps(0xcccc, a, b), _mm512_shuffle_ps(a, b, 0x4e));
  };
  const __m512 a = pairs(0), b = pairs(2);
  return _mm512_add_ps(_mm512_shuffle_ps(a, b, 0x88), _mm512_shuffle_ps(a, b, 0xdd));
}
#endif

/// sums[i] = factor * sum of accumulator i, for `count` accumulators, `stride` floats apart.
HWY_ATTR inline void reduce_scaled(const float* lanes, std::size_t stride, std::size_t count, double factor,
                                   double* sums) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  const __m512d factors = _mm512_set1_pd(factor);
  for (std::size_t i = 0; i < count; i += 16) {
    const std::size_t left = count - i < 16 ? count - i : 16;
    const __m512 reduced = reduce_sixteen(lanes + i * stride, stride, left);
    const __m512d lower = _mm512_cvtps_pd(_mm512_castps512_ps256(reduced));
    const __m512d upper = _mm512_cvtps_pd(_mm512_extractf32x8_ps(reduced, 1));
    double few[16],
        *to = left == 16 ? sums + i : few;  // a masked store would stall later loads (no store forwarding)
    _mm512_storeu_pd(to, _mm512_mul_pd(lower, factors));
    _mm512_storeu_pd(to + 8, _mm512_mul_pd(upper, factors));
    if (left < 16) std::copy_n(few, left, sums + i);
  }
#else
  reduce_each(lanes, stride, count, [&](std::size_t i, double sum) { sums[i] = sum * factor; });
#endif
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
