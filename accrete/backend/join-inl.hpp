// Numbers that were summed lane by lane, joined in double, once per instruction set.

#if defined(ACCRETE_BACKEND_JOIN_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_BACKEND_JOIN_INL_HPP
#undef ACCRETE_BACKEND_JOIN_INL_HPP
#else
#define ACCRETE_BACKEND_JOIN_INL_HPP
#endif

#include <algorithm>
#include <cstddef>

#include "accrete/backend/evaluate_kernel.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using WideLanes = hn::CappedTag<double, lane_run / 2>;

/// A number's lanes in double, as many as a vector has: its halves added, those of the longest vectors while they are
/// floats, which halves the work.
HWY_ATTR HWY_INLINE hn::Vec<WideLanes> widened(const float* lanes) {
  const WideLanes wide;
  const hn::Rebind<float, WideLanes> narrow;
  const std::size_t n = hn::Lanes(wide), all = hn::Lanes(hn::CappedTag<float, lane_run>());
  const auto lower = hn::Load(narrow, lanes);
  if (all == lane_run) return hn::PromoteTo(wide, hn::Add(lower, hn::Load(narrow, lanes + n)));
  const auto sum = hn::PromoteTo(wide, lower);
  return all > n ? hn::Add(sum, hn::PromoteTo(wide, hn::Load(narrow, lanes + n))) : sum;
}

HWY_ATTR inline double join_lanes(const float* lanes) {
  return hn::GetLane(hn::SumOfLanes(WideLanes(), widened(lanes)));
}

/// The lanes of four numbers, `step` apart, joined: the fewest additions where vectors are long.
HWY_ATTR inline void join_four(const float* lanes, std::size_t step, double* sums) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  const WideLanes wide;
  const auto a = widened(lanes), b = widened(lanes + step);
  const auto c = widened(lanes + 2 * step), e = widened(lanes + 3 * step);
  const auto ab = hn::Add(hn::InterleaveLower(wide, a, b), hn::InterleaveUpper(wide, a, b));
  const auto ce = hn::Add(hn::InterleaveLower(wide, c, e), hn::InterleaveUpper(wide, c, e));
  const auto all = hn::Add(hn::ConcatLowerLower(wide, ce, ab), hn::ConcatUpperUpper(wide, ce, ab));
#if HWY_TARGET <= HWY_AVX3
  const hn::Half<hn::Half<WideLanes>> two;
  const auto whole = hn::Add(all, hn::SwapAdjacentBlocks(all));
  hn::StoreU(hn::LowerHalf(hn::LowerHalf(whole)), two, sums);
  hn::StoreU(hn::LowerHalf(hn::UpperHalf(hn::Half<WideLanes>(), whole)), two, sums + 2);
#else
  hn::StoreU(all, wide, sums);
#endif
#else
  for (std::size_t i = 0; i < 4; ++i) sums[i] = join_lanes(lanes + i * step);
#endif
}

/// put(i, number i) for `count` numbers, whose lanes lie `step` apart.
template <class Put>
HWY_ATTR inline void join_numbers(const float* lanes, std::size_t step, std::size_t count, const Put& put) {
  std::size_t i = 0;
  for (double four[4]; i + 4 <= count; i += 4) {
    join_four(lanes + i * step, step, four);
    put(i, four[0]), put(i + 1, four[1]), put(i + 2, four[2]), put(i + 3, four[3]);
  }
  for (; i < count; ++i) put(i, join_lanes(lanes + i * step));
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
/// The lanes of sixteen numbers, of which `count` are there and the others anything, joined in float: two numbers'
/// lanes are added half to half and share a vector from then on, and so on down to one lane each. Four more roundings
/// are little beside those of the rows, and a number takes a third of the time.
HWY_ATTR HWY_INLINE __m512 join_sixteen(const float* lanes, std::size_t step, std::size_t count) {
  const auto number = [&](std::size_t i) HWY_ATTR { return _mm512_load_ps(lanes + (i < count ? i : 0) * step); };
  const auto halves = [&](std::size_t i, std::size_t j) HWY_ATTR {
    const __m512 a = number(i), b = number(j);
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

/// sums[i] = number i times `factor`, for `count` numbers, whose lanes lie `step` apart.
HWY_ATTR inline void join_side_by_side(const float* lanes, std::size_t step, std::size_t count, double factor,
                                       double* sums) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  const __m512d factors = _mm512_set1_pd(factor);
  for (std::size_t i = 0; i < count; i += 16) {
    const std::size_t left = count - i < 16 ? count - i : 16;
    const __m512 joined = join_sixteen(lanes + i * step, step, left);
    const __m512d lower = _mm512_cvtps_pd(_mm512_castps512_ps256(joined));
    const __m512d upper = _mm512_cvtps_pd(_mm512_extractf32x8_ps(joined, 1));
    double few[16], *to = left == 16 ? sums + i : few;  // part of a vector would be waited for when it is read
    _mm512_storeu_pd(to, _mm512_mul_pd(lower, factors));
    _mm512_storeu_pd(to + 8, _mm512_mul_pd(upper, factors));
    if (left < 16) std::copy_n(few, left, sums + i);
  }
#else
  join_numbers(lanes, step, count, [&](std::size_t i, double sum) { sums[i] = sum * factor; });
#endif
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
