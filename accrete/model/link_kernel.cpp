#include "accrete/model/link_kernel.hpp"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accrete/model/link_kernel.cpp"
#include "hwy/foreach_target.h"
// Everything below is compiled once per instruction set.
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::model::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

HWY_ATTR inline void exp_in_place(double* values, std::size_t count) {
  const hn::CappedTag<double, 8> d;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) hn::Store(hn::Exp(d, hn::Load(d, values + i)), d, values + i);
}

void sigmoid_tile(TileScores scores, core::MatrixView<double> into) {
  constexpr std::size_t group = 64;
  alignas(64) double e[group];
  for (std::size_t first = 0; first < into.rows; first += group) {
    const double* s = scores.values + first;
    for (std::size_t i = 0; i < group; ++i) e[i] = -std::abs(s[i]);
    exp_in_place(e, group);
    double* out = into.data + 2 * first;
    const std::size_t count = std::min(group, into.rows - first);
    for (std::size_t i = 0; i < count; ++i) {
      const double large = 1.0 / (1.0 + e[i]), small = e[i] * large;
      out[2 * i] = s[i] < 0.0 ? large : small;
      out[2 * i + 1] = s[i] < 0.0 ? small : large;
    }
  }
}

void softmax_tile(TileScores scores, core::MatrixView<double> into) {
  constexpr std::size_t group = 64;
  alignas(64) double highest[group], sum[group];
  for (std::size_t first = 0; first < into.rows; first += group) {
    double* s = scores.values + first;
    const std::size_t count = std::min(group, into.rows - first);
    std::copy_n(s, group, highest);
    for (std::size_t k = 1; k < into.cols; ++k)
      for (std::size_t i = 0; i < group; ++i) highest[i] = std::max(highest[i], s[k * scores.stride + i]);
    std::fill_n(sum, group, 0.0);
    for (std::size_t k = 0; k < into.cols; ++k) {
      double* e = s + k * scores.stride;
      for (std::size_t i = 0; i < group; ++i) e[i] -= highest[i];
      exp_in_place(e, group);
      for (std::size_t i = 0; i < group; ++i) sum[i] += e[i];
    }
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < into.cols; ++k) into(first + i, k) = s[k * scores.stride + i] / sum[i];
  }
}

}  // namespace accrete::model::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::model {

HWY_EXPORT(sigmoid_tile);
HWY_EXPORT(softmax_tile);

void sigmoid_tile(TileScores scores, core::MatrixView<double> into) {
  HWY_DYNAMIC_DISPATCH(sigmoid_tile)(scores, into);
}

void softmax_tile(TileScores scores, core::MatrixView<double> into) {
  HWY_DYNAMIC_DISPATCH(softmax_tile)(scores, into);
}

}  // namespace accrete::model
#endif
