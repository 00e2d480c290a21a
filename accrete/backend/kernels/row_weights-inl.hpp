// Row weights applied to losses and their derivatives, compiled once per instruction set.

#if defined(ACCRETE_BACKEND_ROW_WEIGHTS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_BACKEND_ROW_WEIGHTS_INL_HPP
#undef ACCRETE_BACKEND_ROW_WEIGHTS_INL_HPP
#else
#define ACCRETE_BACKEND_ROW_WEIGHTS_INL_HPP
#endif

#include <cstddef>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::backend::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// sum of a * b over a multiple of 16 rows; products are rounded to float and added in double.
HWY_ATTR inline double weighted_sum(const float* a, const float* b, std::size_t rows) {
  const hn::CappedTag<double, 8> wide;
  const hn::Rebind<float, decltype(wide)> narrow;
  const std::size_t n = hn::Lanes(wide);
  auto s0 = hn::Zero(wide), s1 = s0;
  for (std::size_t i = 0; i < rows; i += 2 * n) {
    s0 = hn::Add(s0, hn::PromoteTo(wide, hn::Mul(hn::Load(narrow, a + i), hn::Load(narrow, b + i))));
    s1 = hn::Add(s1, hn::PromoteTo(wide, hn::Mul(hn::Load(narrow, a + i + n), hn::Load(narrow, b + i + n))));
  }
  return hn::GetLane(hn::SumOfLanes(wide, hn::Add(s0, s1)));
}

/// values[k * stride + r] *= weights[r]
HWY_ATTR inline void multiply_by_row_weights(float* values, const float* weights, std::size_t outputs, std::size_t rows,
                                             std::size_t stride) {
  const float* __restrict w = weights;
  for (std::size_t k = 0; k < outputs; ++k) {
    float* __restrict v = values + k * stride;
    for (std::size_t r = 0; r < rows; ++r) v[r] *= w[r];
  }
}

}  // namespace accrete::backend::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
