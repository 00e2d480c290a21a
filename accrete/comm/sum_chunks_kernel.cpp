#include "accrete/comm/sum_chunks_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accrete/comm/sum_chunks_kernel.cpp"
#include "hwy/foreach_target.h"
// Everything below is compiled once per instruction set.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::comm::HWY_NAMESPACE {

template <class T>
void sum_any(const T* a, const T* b, const T* c, const T* d, double* sums, std::size_t count) {
  const auto value = [](T x) { return static_cast<double>(x); };
  if (!b)
    for (std::size_t i = 0; i < count; ++i) sums[i] = value(a[i]);
  else if (!c)
    for (std::size_t i = 0; i < count; ++i) sums[i] = value(a[i]) + value(b[i]);
  else
    for (std::size_t i = 0; i < count; ++i) sums[i] = (value(a[i]) + value(b[i])) + (value(c[i]) + value(d[i]));
}

void sum_floats(const float* a, const float* b, const float* c, const float* d, double* sums, std::size_t count) {
  sum_any(a, b, c, d, sums, count);
}

void sum_doubles(const double* a, const double* b, const double* c, const double* d, double* sums, std::size_t count) {
  sum_any(a, b, c, d, sums, count);
}

void add_doubles(const double* more, double* sums, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sums[i] += more[i];
}

}  // namespace accrete::comm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::comm {

HWY_EXPORT(sum_floats);
HWY_EXPORT(sum_doubles);
HWY_EXPORT(add_doubles);

void sum_chunks(const float* a, const float* b, const float* c, const float* d, double* sums, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(sum_floats)(a, b, c, d, sums, count);
}

void sum_chunks(const double* a, const double* b, const double* c, const double* d, double* sums, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(sum_doubles)(a, b, c, d, sums, count);
}

void add_sums(const double* more, double* sums, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(add_doubles)(more, sums, count);
}

}  // namespace accrete::comm
#endif
