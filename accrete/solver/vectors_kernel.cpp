#include "accrete/solver/vectors.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accrete/solver/vectors_kernel.cpp"
#include "hwy/foreach_target.h"
// Everything below is compiled once per instruction set.
#include <algorithm>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::solver::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Wide = hn::CappedTag<double, 8>;

using Narrow = hn::Rebind<float, Wide>;

HWY_ATTR HWY_INLINE hn::Vec<Wide> load(const double* from) {
  return hn::LoadU(Wide(), from);
}
HWY_ATTR HWY_INLINE hn::Vec<Wide> load(const float* from) {
  return hn::PromoteTo(Wide(), hn::LoadU(Narrow(), from));
}
HWY_ATTR HWY_INLINE void store(hn::Vec<Wide> v, double* to) {
  hn::StoreU(v, Wide(), to);
}
HWY_ATTR HWY_INLINE void store(hn::Vec<Wide> v, float* to) {
  hn::StoreU(hn::DemoteTo(Narrow(), v), Narrow(), to);
}

// Two accumulators hide the latency of the additions. n is a multiple of 8.

template <class A, class B>
HWY_ATTR double dot_of(const A* a, const B* b, std::size_t n) {
  const Wide d;
  const std::size_t lanes = hn::Lanes(d);
  auto s0 = hn::Zero(d), s1 = s0;
  std::size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    s0 = hn::MulAdd(load(a + i), load(b + i), s0);
    s1 = hn::MulAdd(load(a + i + lanes), load(b + i + lanes), s1);
  }
  for (; i < n; i += lanes) s0 = hn::MulAdd(load(a + i), load(b + i), s0);
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(s0, s1)));
}

template <class X, class Z>
HWY_ATTR double axpy_dot_of(double a, const X* x, double* y, const Z* z, std::size_t n) {
  const Wide d;
  const std::size_t lanes = hn::Lanes(d);
  const auto factor = hn::Set(d, a);
  auto s0 = hn::Zero(d), s1 = s0;
  std::size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    const auto y0 = hn::MulAdd(factor, load(x + i), load(y + i));
    const auto y1 = hn::MulAdd(factor, load(x + i + lanes), load(y + i + lanes));
    store(y0, y + i), store(y1, y + i + lanes);
    s0 = hn::MulAdd(y0, load(z + i), s0), s1 = hn::MulAdd(y1, load(z + i + lanes), s1);
  }
  for (; i < n; i += lanes) {
    const auto y0 = hn::MulAdd(factor, load(x + i), load(y + i));
    store(y0, y + i);
    s0 = hn::MulAdd(y0, load(z + i), s0);
  }
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(s0, s1)));
}

template <class Z>
HWY_ATTR double add_of(const double* x, double a, const double* y, Z* z, std::size_t n) {
  const Wide d;
  const auto factor = hn::Set(d, a);
  auto s = hn::Zero(d);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto v = hn::MulAdd(factor, load(y + i), load(x + i));
    store(v, z + i);
    s = hn::MulAdd(v, v, s);
  }
  return hn::GetLane(hn::SumOfLanes(d, s));
}

double dot(const double* a, const double* b, std::size_t n) {
  return dot_of(a, b, n);
}
double dot_mixed(const double* a, const float* b, std::size_t n) {
  return dot_of(a, b, n);
}
double dot_floats(const float* a, const float* b, std::size_t n) {
  return dot_of(a, b, n);
}
double axpy_dot(double a, const double* x, double* y, const double* z, std::size_t n) {
  return axpy_dot_of(a, x, y, z, n);
}
double axpy_dot_mixed(double a, const float* x, double* y, const double* z, std::size_t n) {
  return axpy_dot_of(a, x, y, z, n);
}
double axpy_dot_floats(double a, const float* x, double* y, const float* z, std::size_t n) {
  return axpy_dot_of(a, x, y, z, n);
}
double add(const double* x, double a, const double* y, double* z, std::size_t n) {
  return add_of(x, a, y, z, n);
}
double add_to_floats(const double* x, double a, const double* y, float* z, std::size_t n) {
  return add_of(x, a, y, z, n);
}

}  // namespace accrete::solver::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::solver {

HWY_EXPORT(dot);
HWY_EXPORT(dot_mixed);
HWY_EXPORT(dot_floats);
HWY_EXPORT(axpy_dot);
HWY_EXPORT(axpy_dot_mixed);
HWY_EXPORT(axpy_dot_floats);
HWY_EXPORT(add);
HWY_EXPORT(add_to_floats);

// These functions run about thirty times between two evaluations, so the dispatch is resolved once. CPUID is slow on a
// virtual machine; it is skipped if the targets are already known.
#define ACCRETE_CHOOSE_ONCE(function)                                                                    \
  ([] {                                                                                                  \
    if (!hwy::GetChosenTarget().IsInitialized()) hwy::GetChosenTarget().Update(hwy::SupportedTargets()); \
    return &HWY_DYNAMIC_DISPATCH(function);                                                              \
  }())

double HostVectors::dot(const double* a, const double* b, std::size_t n) {
  static const auto chosen = ACCRETE_CHOOSE_ONCE(dot);
  return chosen(a, b, n);
}

double HostVectors::axpy_dot(double a, const double* x, double* y, const double* z, std::size_t n) {
  static const auto chosen = ACCRETE_CHOOSE_ONCE(axpy_dot);
  return chosen(a, x, y, z, n);
}

double HostVectors::add(const double* x, double a, const double* y, double* z, std::size_t n) {
  static const auto chosen = ACCRETE_CHOOSE_ONCE(add);
  return chosen(x, a, y, z, n);
}

double FloatPairVectors::dot(const double* a, const float* b, std::size_t n) {
  static const auto chosen = ACCRETE_CHOOSE_ONCE(dot_mixed);
  return chosen(a, b, n);
}

double FloatPairVectors::dot(const float* a, const float* b, std::size_t n) {
  static const auto chosen = ACCRETE_CHOOSE_ONCE(dot_floats);
  return chosen(a, b, n);
}

double FloatPairVectors::axpy_dot(double a, const float* x, double* y, const double* z, std::size_t n) {
  static const auto chosen = ACCRETE_CHOOSE_ONCE(axpy_dot_mixed);
  return chosen(a, x, y, z, n);
}

double FloatPairVectors::axpy_dot(double a, const float* x, double* y, const float* z, std::size_t n) {
  static const auto chosen = ACCRETE_CHOOSE_ONCE(axpy_dot_floats);
  return chosen(a, x, y, z, n);
}

double FloatPairVectors::add(const double* x, double a, const double* y, float* z, std::size_t n) {
  static const auto chosen = ACCRETE_CHOOSE_ONCE(add_to_floats);
  return chosen(x, a, y, z, n);
}

void HostVectors::scale(double a, double* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) x[i] *= a;
}

void HostVectors::copy(const double* x, double* y, std::size_t n) {
  std::copy_n(x, n, y);
}

}  // namespace accrete::solver
#endif
