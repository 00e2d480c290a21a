#include "bench/support/ceilings.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/support/ceilings.cpp"
#include "hwy/foreach_target.h"
// Everything below is compiled once per instruction set.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::bench::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Independent multiply-adds: enough for two units of latency 5 on x86, where AVX2 has only 16 registers, and for four
/// units of latency 4 elsewhere.
#if HWY_ARCH_X86
constexpr std::size_t chains = 12;
#else
constexpr std::size_t chains = 16;
#endif

/// Returns the number of float operations; `sink` keeps the result alive. Named variables, because vectors of run-time
/// length cannot be array elements.
double multiply_add(std::size_t rounds, float* sink) {
  const hn::ScalableTag<float> d;
  // Accumulates into the addend, the only form that some instruction sets have.
  const auto m = hn::Set(d, 0.999f), c = hn::Set(d, 0.001f);
  // Different start values keep the compiler from merging the chains.
  auto a0 = hn::Set(d, 0.0f), a1 = hn::Set(d, 0.1f), a2 = hn::Set(d, 0.2f), a3 = hn::Set(d, 0.3f);
  auto a4 = hn::Set(d, 0.4f), a5 = hn::Set(d, 0.5f), a6 = hn::Set(d, 0.6f), a7 = hn::Set(d, 0.7f);
  auto a8 = hn::Set(d, 0.8f), a9 = hn::Set(d, 0.9f), a10 = hn::Set(d, 1.0f), a11 = hn::Set(d, 1.1f);
#if !HWY_ARCH_X86
  auto a12 = hn::Set(d, 1.2f), a13 = hn::Set(d, 1.3f), a14 = hn::Set(d, 1.4f), a15 = hn::Set(d, 1.5f);
#endif
  for (std::size_t i = 0; i < rounds; ++i) {
    a0 = hn::MulAdd(m, c, a0), a1 = hn::MulAdd(m, c, a1), a2 = hn::MulAdd(m, c, a2), a3 = hn::MulAdd(m, c, a3);
    a4 = hn::MulAdd(m, c, a4), a5 = hn::MulAdd(m, c, a5), a6 = hn::MulAdd(m, c, a6), a7 = hn::MulAdd(m, c, a7);
    a8 = hn::MulAdd(m, c, a8), a9 = hn::MulAdd(m, c, a9), a10 = hn::MulAdd(m, c, a10), a11 = hn::MulAdd(m, c, a11);
#if !HWY_ARCH_X86
    a12 = hn::MulAdd(m, c, a12), a13 = hn::MulAdd(m, c, a13), a14 = hn::MulAdd(m, c, a14), a15 = hn::MulAdd(m, c, a15);
#endif
  }
  a0 = hn::Add(hn::Add(hn::Add(a0, a1), hn::Add(a2, a3)), hn::Add(hn::Add(a4, a5), hn::Add(a6, a7)));
  a8 = hn::Add(hn::Add(a8, a9), hn::Add(a10, a11));
#if !HWY_ARCH_X86
  a8 = hn::Add(a8, hn::Add(hn::Add(a12, a13), hn::Add(a14, a15)));
#endif
  *sink = hn::GetLane(hn::Add(a0, a8));
  return 2.0 * static_cast<double>(rounds * chains * hn::Lanes(d));
}

/// Reads full groups of eight vectors; returns the bytes read.
std::size_t read_once(const float* from, std::size_t count, float* sink) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> u;
  const std::size_t n = hn::Lanes(d);
  const auto* p = reinterpret_cast<const hn::TFromD<decltype(u)>*>(from);
  auto a0 = hn::Zero(u), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0, a7 = a0;
  std::size_t i = 0;
  for (; i + 8 * n <= count; i += 8 * n) {
    a0 = hn::Or(a0, hn::Load(u, p + i)), a1 = hn::Or(a1, hn::Load(u, p + i + n));
    a2 = hn::Or(a2, hn::Load(u, p + i + 2 * n)), a3 = hn::Or(a3, hn::Load(u, p + i + 3 * n));
    a4 = hn::Or(a4, hn::Load(u, p + i + 4 * n)), a5 = hn::Or(a5, hn::Load(u, p + i + 5 * n));
    a6 = hn::Or(a6, hn::Load(u, p + i + 6 * n)), a7 = hn::Or(a7, hn::Load(u, p + i + 7 * n));
  }
  a0 = hn::Or(hn::Or(hn::Or(a0, a1), hn::Or(a2, a3)), hn::Or(hn::Or(a4, a5), hn::Or(a6, a7)));
  *sink = static_cast<float>(hn::GetLane(a0));
  return i * sizeof(float);
}

const char* name() {
  return hwy::TargetName(HWY_TARGET);
}

}  // namespace accrete::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>

namespace accrete::bench {

HWY_EXPORT(multiply_add);
HWY_EXPORT(read_once);
HWY_EXPORT(name);

namespace {
volatile float sink_value;  // keeps the compiler from removing the loops
}

double multiply_adds() {
  float sink = 0.0f;
  const double done = HWY_DYNAMIC_DISPATCH(multiply_add)(100'000, &sink);
  sink_value = sink;
  return done;
}

// At least 4 KiB, because smaller points are never memory-bound.
BufferReader::BufferReader(std::size_t bytes) : buffer_(std::max<std::size_t>(bytes, 4096) / sizeof(float), 1.0f) {}

double BufferReader::operator()() const {
  constexpr std::size_t min_bytes = 1 << 20;
  std::size_t done = 0;
  float sink = 0.0f;
  do done += HWY_DYNAMIC_DISPATCH(read_once)(buffer_.data(), buffer_.size(), &sink);
  while (done < min_bytes);
  sink_value = sink;
  return static_cast<double>(done);
}

const char* instruction_set() {
  return HWY_DYNAMIC_DISPATCH(name)();
}

}  // namespace accrete::bench
#endif
