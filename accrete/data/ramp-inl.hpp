// The one formula of a ramp, once per instruction set:
//
//   low + (x - knot) * slope, kept from low to high, or 0 where x is missing
//
// Encoding, prediction and training all come here, so that they see the same bits. Denormals must be flushed wherever
// it is used, as training flushes them.

#if defined(ACCRETE_DATA_RAMP_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef ACCRETE_DATA_RAMP_INL_HPP
#undef ACCRETE_DATA_RAMP_INL_HPP
#else
#define ACCRETE_DATA_RAMP_INL_HPP
#endif

#include <cstddef>

#include "accrete/data/features.hpp"
#include "accrete/data/ramps.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::data::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// One vector of ramps, or one ramp in every lane: no struct of them, since a vector whose length is known only at run
/// time cannot be a member. Without gaps, no x is NaN.
template <bool gaps, class V>
HWY_ATTR HWY_INLINE V ramp(V x, V knot, V slope, V low, V high) {
  const auto value = hn::Min(hn::Max(hn::MulAdd(hn::Sub(x, knot), slope, low), low), high);
  if constexpr (gaps) return hn::IfThenZeroElse(hn::IsNaN(x), value);
  return value;
}

/// From i on, as far as whole vectors go; returns how far.
template <bool gaps, class D>
HWY_ATTR HWY_INLINE std::size_t ramp_vectors(D d, const Ramp& by, const float* x, std::size_t i, std::size_t count,
                                             float* values) {
  const std::size_t n = hn::Lanes(d);
  const auto knot = hn::Set(d, by.knot), slope = hn::Set(d, by.slope);
  const auto low = hn::Set(d, by.low), high = hn::Set(d, by.high);
  for (; i + n <= count; i += n) hn::StoreU(ramp<gaps>(hn::LoadU(d, x + i), knot, slope, low, high), d, values + i);
  return i;
}

/// One bin: values[i] from x[i].
template <bool gaps>
HWY_ATTR inline void write_ramp(const Ramp& by, const float* x, std::size_t count, float* values) {
  const std::size_t done = ramp_vectors<gaps>(hn::ScalableTag<float>(), by, x, 0, count, values);
  if (done < count) ramp_vectors<gaps>(hn::CappedTag<float, 1>(), by, x, done, count, values);
}

HWY_ATTR inline bool any_gap(const float* x, std::size_t count) {
  const hn::ScalableTag<float> d;
  const std::size_t n = hn::Lanes(d);
  auto gaps = hn::IsNaN(hn::Zero(d));
  std::size_t i = 0;
  for (; i + n <= count; i += n) gaps = hn::Or(gaps, hn::IsNaN(hn::LoadU(d, x + i)));
  bool any = !hn::AllFalse(d, gaps);
  for (; i < count; ++i) any = any || x[i] != x[i];
  return any;
}

/// Where a tile's features lie: those that are stored in the tile, ramps in room after they were written there. Whether
/// a number has gaps in this tile is asked once for all its ramps, which come one after the other.
HWY_ATTR inline void point_at_features(const FeatureList& features, const float* tile, std::size_t rows,
                                       const float** inputs, float* room) {
  const std::size_t t = features.tile_rows;
  const float* asked = nullptr;
  bool gaps = false;
  for (std::size_t i = 0; i < features.count; ++i) {
    const FeatureSource& feature = features.from[i];
    const float* x = inputs[i] = tile + feature.column * t;
    if (!feature.ramped) continue;
    if (x != asked) gaps = any_gap(asked = x, rows);
    if (gaps)
      write_ramp<true>(feature.ramp, x, rows, room);
    else
      write_ramp<false>(feature.ramp, x, rows, room);
    inputs[i] = room;
    room += t;
  }
}

}  // namespace accrete::data::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
