#include "accrete/data/ramp_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accrete/data/ramp_kernel.cpp"
#include "hwy/foreach_target.h"
// Highway compiles what follows once per instruction set.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::data::HWY_NAMESPACE {

// The loops are left to the compiler: they have no branch and no sum.

inline float ramp(double origin, double slope, float low, float high, float x) {
  auto value = static_cast<float>((static_cast<double>(x) - origin) * slope);
  value = value < low ? low : value;
  value = value > high ? high : value;
  return x == x ? value : 0.0f;
}

void ramp_column(const Ramp& by, const float* HWY_RESTRICT x, std::size_t count, float* HWY_RESTRICT values) {
  const auto [origin, slope, low, high] = by;
  for (std::size_t i = 0; i < count; ++i) values[i] = ramp(origin, slope, low, high, x[i]);
}

void ramp_row(const Ramps& by, float x, float* HWY_RESTRICT values) {
  const double *HWY_RESTRICT origins = by.origins.data(), *HWY_RESTRICT slopes = by.slopes.data();
  const float *HWY_RESTRICT lows = by.lows.data(), *HWY_RESTRICT highs = by.highs.data();
  const std::size_t count = by.size();
  for (std::size_t j = 0; j < count; ++j) values[j] = ramp(origins[j], slopes[j], lows[j], highs[j], x);
}

}  // namespace accrete::data::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::data {

HWY_EXPORT(ramp_column);
HWY_EXPORT(ramp_row);

void ramp_column(const Ramp& by, const float* x, std::size_t count, float* values) {
  HWY_DYNAMIC_DISPATCH(ramp_column)(by, x, count, values);
}

void ramp_row(const Ramps& by, float x, float* values) {
  HWY_DYNAMIC_DISPATCH(ramp_row)(by, x, values);
}

}  // namespace accrete::data
#endif
