#include "accrete/data/encoder/ramp_kernel.hpp"

#include "accrete/core/denormals.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accrete/data/encoder/ramp_kernel.cpp"
#include "hwy/foreach_target.h"
// Everything below is compiled once per instruction set.
#include "accrete/data/encoder/ramp-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::data::HWY_NAMESPACE {

void write_column(const Ramp& by, const float* x, std::size_t count, float* values) {
  write_ramp<true>(by, x, count, values);
}

/// Processes full vectors from bin j on; returns the index of the first bin not written.
template <class D>
HWY_ATTR std::size_t row_vectors(D d, const Ramps& by, float x, std::size_t j, float* values) {
  const std::size_t n = hn::Lanes(d);
  for (; j + n <= by.size(); j += n) {
    const auto value = ramp<true>(hn::Set(d, x), hn::LoadU(d, &by.knots[j]), hn::LoadU(d, &by.slopes[j]),
                                  hn::LoadU(d, &by.lows[j]), hn::LoadU(d, &by.highs[j]));
    hn::StoreU(value, d, values + j);
  }
  return j;
}

void write_row(const Ramps& by, float x, float* values) {
  const std::size_t done = row_vectors(hn::ScalableTag<float>(), by, x, 0, values);
  row_vectors(hn::CappedTag<float, 1>(), by, x, done, values);
}

}  // namespace accrete::data::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::data {

HWY_EXPORT(write_column);
HWY_EXPORT(write_row);

void ramp_column(const Ramp& by, const float* x, std::size_t count, float* values) {
  const core::FlushDenormals as_in_training;
  HWY_DYNAMIC_DISPATCH(write_column)(by, x, count, values);
}

void ramp_row(const Ramps& by, float x, float* values) {
  const core::FlushDenormals as_in_training;
  HWY_DYNAMIC_DISPATCH(write_row)(by, x, values);
}

}  // namespace accrete::data
#endif
