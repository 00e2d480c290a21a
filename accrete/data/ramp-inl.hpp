// The one formula of a ramp, once per instruction set:
//
//   t = (x - knot) * inverse_width, kept from 0 to 1;   value = t * factor + offset, or 0 where x is missing
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

/// One vector of ramps, or one ramp in every lane.
template <class V>
struct RampParts {
  V knot, inverse_width, factor, offset;
};

template <class V>
HWY_ATTR HWY_INLINE V ramp(const RampParts<V>& by, V x) {
  const hn::DFromV<V> d;
  const auto way = hn::Mul(hn::Sub(x, by.knot), by.inverse_width);
  const auto t = hn::Min(hn::Max(way, hn::Zero(d)), hn::Set(d, 1.0f));
  return hn::IfThenZeroElse(hn::IsNaN(x), hn::MulAdd(t, by.factor, by.offset));
}

/// From i on, as far as whole vectors go; returns how far.
template <class D>
HWY_ATTR HWY_INLINE std::size_t ramp_vectors(D d, const Ramp& by, const float* x, std::size_t i, std::size_t count,
                                             float* values) {
  const std::size_t n = hn::Lanes(d);
  const RampParts<hn::Vec<D>> parts{hn::Set(d, by.knot), hn::Set(d, by.inverse_width), hn::Set(d, by.factor),
                                    hn::Set(d, by.offset)};
  for (; i + n <= count; i += n) hn::StoreU(ramp(parts, hn::LoadU(d, x + i)), d, values + i);
  return i;
}

/// One bin: values[i] from x[i].
HWY_ATTR inline void write_ramp(const Ramp& by, const float* x, std::size_t count, float* values) {
  const std::size_t done = ramp_vectors(hn::ScalableTag<float>(), by, x, 0, count, values);
  if (done < count) ramp_vectors(hn::CappedTag<float, 1>(), by, x, done, count, values);
}

/// Where a tile's features lie: those that are stored in the tile, ramps in room after they were written there.
HWY_ATTR inline void point_at_features(const FeatureList& features, const float* tile, std::size_t rows,
                                       const float** inputs, float* room) {
  const std::size_t t = features.tile_rows;
  for (std::size_t i = 0; i < features.count; ++i) {
    const FeatureSource& feature = features.from[i];
    inputs[i] = tile + feature.column * t;
    if (!feature.ramped) continue;
    write_ramp(feature.ramp, inputs[i], rows, room);
    inputs[i] = room;
    room += t;
  }
}

}  // namespace accrete::data::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
