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

// Two accumulators hide the latency of the additions. n is a multiple of 8.

double dot(const double* a, const double* b, std::size_t n) {
  const Wide d;
  const std::size_t lanes = hn::Lanes(d);
  auto s0 = hn::Zero(d), s1 = s0;
  std::size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    s0 = hn::MulAdd(hn::LoadU(d, a + i), hn::LoadU(d, b + i), s0);
    s1 = hn::MulAdd(hn::LoadU(d, a + i + lanes), hn::LoadU(d, b + i + lanes), s1);
  }
  for (; i < n; i += lanes) s0 = hn::MulAdd(hn::LoadU(d, a + i), hn::LoadU(d, b + i), s0);
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(s0, s1)));
}

double axpy_dot(double a, const double* x, double* y, const double* z, std::size_t n) {
  const Wide d;
  const std::size_t lanes = hn::Lanes(d);
  const auto factor = hn::Set(d, a);
  auto s0 = hn::Zero(d), s1 = s0;
  std::size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    const auto y0 = hn::MulAdd(factor, hn::LoadU(d, x + i), hn::LoadU(d, y + i));
    const auto y1 = hn::MulAdd(factor, hn::LoadU(d, x + i + lanes), hn::LoadU(d, y + i + lanes));
    hn::StoreU(y0, d, y + i), hn::StoreU(y1, d, y + i + lanes);
    s0 = hn::MulAdd(y0, hn::LoadU(d, z + i), s0), s1 = hn::MulAdd(y1, hn::LoadU(d, z + i + lanes), s1);
  }
  for (; i < n; i += lanes) {
    const auto y0 = hn::MulAdd(factor, hn::LoadU(d, x + i), hn::LoadU(d, y + i));
    hn::StoreU(y0, d, y + i);
    s0 = hn::MulAdd(y0, hn::LoadU(d, z + i), s0);
  }
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(s0, s1)));
}

double add(const double* x, double a, const double* y, double* z, std::size_t n) {
  const Wide d;
  const auto factor = hn::Set(d, a);
  auto s = hn::Zero(d);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto v = hn::MulAdd(factor, hn::LoadU(d, y + i), hn::LoadU(d, x + i));
    hn::StoreU(v, d, z + i);
    s = hn::MulAdd(v, v, s);
  }
  return hn::GetLane(hn::SumOfLanes(d, s));
}

}  // namespace accrete::solver::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::solver {

HWY_EXPORT(dot);
HWY_EXPORT(axpy_dot);
HWY_EXPORT(add);

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

void HostVectors::scale(double a, double* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) x[i] *= a;
}

void HostVectors::copy(const double* x, double* y, std::size_t n) {
  std::copy_n(x, n, y);
}

}  // namespace accrete::solver
#endif
