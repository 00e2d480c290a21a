// The formula of a ramp, compiled once per instruction set:
//
//   low + (x - knot) * slope clamped to [low, high], or 0 where x is missing
//
// Encoding, prediction and training share it, so their results are bit-identical. Callers must flush denormals, as
// training does.

#if defined(ACCRETE_DATA_RAMP_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_DATA_RAMP_INL_HPP
#undef ACCRETE_DATA_RAMP_INL_HPP
#else
#define ACCRETE_DATA_RAMP_INL_HPP
#endif

#include <cstddef>

#include "accrete/data/encoder/ramps.hpp"
#include "accrete/data/features.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::data::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// One ramp per lane. The members are separate arguments because scalable vectors cannot be struct members. If
/// `missing` is false, no x may be NaN.
template <bool missing, class V>
HWY_ATTR HWY_INLINE V ramp(V x, V knot, V slope, V low, V high) {
  const auto value = hn::Min(hn::Max(hn::MulAdd(hn::Sub(x, knot), slope, low), low), high);
  if constexpr (missing) return hn::IfThenZeroElse(hn::IsNaN(x), value);
  return value;
}

/// Processes full vectors from i on; returns the index of the first value not written.
template <bool missing, class D>
HWY_ATTR HWY_INLINE std::size_t ramp_vectors(D d, const Ramp& by, const float* x, std::size_t i, std::size_t count,
                                             float* values) {
  const std::size_t n = hn::Lanes(d);
  const auto knot = hn::Set(d, by.knot), slope = hn::Set(d, by.slope);
  const auto low = hn::Set(d, by.low), high = hn::Set(d, by.high);
  for (; i + n <= count; i += n) hn::StoreU(ramp<missing>(hn::LoadU(d, x + i), knot, slope, low, high), d, values + i);
  return i;
}

/// One bin: values[i] from x[i].
template <bool missing>
HWY_ATTR inline void write_ramp(const Ramp& by, const float* x, std::size_t count, float* values) {
  const std::size_t done = ramp_vectors<missing>(hn::ScalableTag<float>(), by, x, 0, count, values);
  if (done < count) ramp_vectors<missing>(hn::CappedTag<float, 1>(), by, x, done, count, values);
}

HWY_ATTR inline bool any_missing(const float* x, std::size_t count) {
  const hn::ScalableTag<float> d;
  const std::size_t n = hn::Lanes(d);
  auto missing = hn::IsNaN(hn::Zero(d));
  std::size_t i = 0;
  for (; i + n <= count; i += n) missing = hn::Or(missing, hn::IsNaN(hn::LoadU(d, x + i)));
  bool any = !hn::AllFalse(d, missing);
  for (; i < count; ++i) any = any || x[i] != x[i];
  return any;
}

HWY_ATTR inline void write_simple(const FeatureSource& by, const float* x, std::size_t count, float* values) {
  for (std::size_t i = 0; i < count; ++i) values[i] = simple_feature(by, x[i]);
}

/// Sets inputs[i] to feature i of the tile: a pointer into the tile, or into scratch for computed features. The ramps
/// of a column are contiguous in the list, so each column is checked for missing values once.
HWY_ATTR inline void point_at_features(const FeatureList& features, const float* tile, std::size_t rows,
                                       const float** inputs, float* scratch) {
  const std::size_t t = features.tile_rows;
  std::size_t checked = static_cast<std::size_t>(-1);  // the column that `missing` describes
  bool missing = false;
  for (std::size_t i = 0; i < features.count; ++i) {
    const FeatureSource& feature = features.from[i];
    const float* x = inputs[i] = tile + feature.column * t;
    if (!feature.is_computed()) continue;
    if (feature.is_ramp() && feature.column != checked) {
      missing = any_missing(x, rows);
      checked = feature.column;
    }
    if (!feature.is_ramp())
      write_simple(feature, x, rows, scratch);
    else if (missing)
      write_ramp<true>(feature.ramp, x, rows, scratch);
    else
      write_ramp<false>(feature.ramp, x, rows, scratch);
    inputs[i] = scratch;
    scratch += t;
  }
}

}  // namespace accrete::data::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
