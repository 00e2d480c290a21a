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

void ramp_column(const Ramp& by, const float* x, std::size_t count, float* values) {
  const auto [origin, slope, low, high] = by;
  for (std::size_t i = 0; i < count; ++i) values[i] = ramp(origin, slope, low, high, x[i]);
}

void ramp_row(const Ramps& by, float x, float* values) {
  const double *origins = by.origins.data(), *slopes = by.slopes.data();
  const float *lows = by.lows.data(), *highs = by.highs.data();
  for (std::size_t j = 0; j < by.size(); ++j) values[j] = ramp(origins[j], slopes[j], lows[j], highs[j], x);
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
