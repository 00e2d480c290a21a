// Numbers that were summed lane by lane, joined in double, once per instruction set.

#if defined(ACCRETE_BACKEND_JOIN_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_BACKEND_JOIN_INL_HPP
#undef ACCRETE_BACKEND_JOIN_INL_HPP
#else
#define ACCRETE_BACKEND_JOIN_INL_HPP
#endif

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

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
