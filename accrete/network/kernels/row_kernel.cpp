#include "accrete/network/kernels/row_kernel.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accrete/network/kernels/row_kernel.cpp"
#include "hwy/foreach_target.h"
// Everything below is compiled once per instruction set.
#include "accrete/network/kernels/activate-inl.hpp"
#include "accrete/network/kernels/exact_activation-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace accrete::network::HWY_NAMESPACE {

/// Weighted inputs of one vector of units, whose biases are at `lane`. Four accumulators hide multiply-add latency.
HWY_ATTR HWY_INLINE FloatVector dot_vector(const float* lane, const float* x, std::size_t features) {
  const FloatTag d;
  constexpr std::size_t w = InterleavedWeights::width;
  auto s0 = hn::Load(d, lane), s1 = hn::Zero(d), s2 = s1, s3 = s1;
  lane += w;
  std::size_t i = 0;
  for (; i + 4 <= features; i += 4, lane += 4 * w) {
    s0 = hn::MulAdd(hn::Load(d, lane), hn::Set(d, x[i]), s0);
    s1 = hn::MulAdd(hn::Load(d, lane + w), hn::Set(d, x[i + 1]), s1);
    s2 = hn::MulAdd(hn::Load(d, lane + 2 * w), hn::Set(d, x[i + 2]), s2);
    s3 = hn::MulAdd(hn::Load(d, lane + 3 * w), hn::Set(d, x[i + 3]), s3);
  }
  for (; i < features; ++i, lane += w) s0 = hn::MulAdd(hn::Load(d, lane), hn::Set(d, x[i]), s0);
  return hn::Add(hn::Add(s0, s1), hn::Add(s2, s3));
}

/// The same for four vectors of units, `distance` floats apart; one broadcast of a feature serves all four.
HWY_ATTR HWY_INLINE void dot_four_vectors(const float* lane, std::size_t distance, const float* x, std::size_t features,
                                          float* hidden, std::size_t hidden_distance) {
  const FloatTag d;
  constexpr std::size_t w = InterleavedWeights::width;
  const float *l0 = lane, *l1 = l0 + distance, *l2 = l1 + distance, *l3 = l2 + distance;
  auto s0 = hn::Load(d, l0), s1 = hn::Load(d, l1), s2 = hn::Load(d, l2), s3 = hn::Load(d, l3);
  auto r0 = hn::Zero(d), r1 = r0, r2 = r0, r3 = r0;
  std::size_t i = 0, at = w;
  for (; i + 2 <= features; i += 2, at += 2 * w) {
    const auto x0 = hn::Set(d, x[i]), x1 = hn::Set(d, x[i + 1]);
    s0 = hn::MulAdd(hn::Load(d, l0 + at), x0, s0), r0 = hn::MulAdd(hn::Load(d, l0 + at + w), x1, r0);
    s1 = hn::MulAdd(hn::Load(d, l1 + at), x0, s1), r1 = hn::MulAdd(hn::Load(d, l1 + at + w), x1, r1);
    s2 = hn::MulAdd(hn::Load(d, l2 + at), x0, s2), r2 = hn::MulAdd(hn::Load(d, l2 + at + w), x1, r2);
    s3 = hn::MulAdd(hn::Load(d, l3 + at), x0, s3), r3 = hn::MulAdd(hn::Load(d, l3 + at + w), x1, r3);
  }
  if (i < features) {
    const auto x0 = hn::Set(d, x[i]);
    s0 = hn::MulAdd(hn::Load(d, l0 + at), x0, s0), s1 = hn::MulAdd(hn::Load(d, l1 + at), x0, s1);
    s2 = hn::MulAdd(hn::Load(d, l2 + at), x0, s2), s3 = hn::MulAdd(hn::Load(d, l3 + at), x0, s3);
  }
  hn::Store(hn::Add(s0, r0), d, hidden), hn::Store(hn::Add(s1, r1), d, hidden + hidden_distance);
  hn::Store(hn::Add(s2, r2), d, hidden + 2 * hidden_distance),
      hn::Store(hn::Add(s3, r3), d, hidden + 3 * hidden_distance);
}

/// Units processed together: their hidden outputs fit on the stack, and float sums over them stay short.
inline constexpr std::size_t units_per_pass = 16 * InterleavedWeights::width;

template <class Formula>
HWY_ATTR void add_row_pass(Formula f, const InterleavedWeights& weights, const float* x, std::size_t first,
                           std::size_t units, double* scores) {
  const FloatTag d;
  const std::size_t n = hn::Lanes(d), w = InterleavedWeights::width, groups = (units + w - 1) / w,
                    size = weights.group_size();
  const float* at = weights.group(first / w);
  alignas(64) float hidden[units_per_pass];
  std::size_t group = 0;
  if (4 * n <= w)  // narrow vectors: a group holds four of them
    for (; group < groups; ++group)
      for (std::size_t v = 0; v < w; v += 4 * n)
        dot_four_vectors(at + group * size + v, n, x, weights.features(), hidden + group * w + v, n);
  for (; group + 4 <= groups; group += 4)
    for (std::size_t v = 0; v < w; v += n)
      dot_four_vectors(at + group * size + v, size, x, weights.features(), hidden + group * w + v, w);
  for (; group < groups; ++group)
    for (std::size_t v = 0; v < w; v += n)
      hn::Store(dot_vector(at + group * size + v, x, weights.features()), d, hidden + group * w + v);
  activate_array(f, hidden, groups * w);
  // Clear the padding of the last group and the units after the prefix.
  std::fill(hidden + units, hidden + groups * w, 0.0f);
  for (std::size_t k = 0; k < weights.outputs(); ++k) {
    const float* output_weights = at + (1 + weights.features() + k) * w;
    auto sum = hn::Zero(d);
    for (std::size_t v = 0; v < w;
         v += n) {  // one accumulator per vector of a group keeps float sums short and chains independent
      auto part = hn::Zero(d);
      for (std::size_t g = 0; g < groups; ++g)
        part = hn::MulAdd(hn::Load(d, hidden + g * w + v), hn::Load(d, output_weights + g * size + v), part);
      sum = hn::Add(sum, part);
    }
    scores[k] += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, sum)));
  }
}

void add_row_scores(const Network& network, const float* x, std::size_t units, double* scores) {
  visit_activation(network.activation().index, network.exact_activation(), [&](auto formula) {
    for (std::size_t first = 0; first < units; first += units_per_pass)
      add_row_pass(formula, network.interleaved(), x, first, std::min(units_per_pass, units - first), scores);
  });
}

}  // namespace accrete::network::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace accrete::network {

HWY_EXPORT(add_row_scores);

void add_row_scores(const Network& network, const float* features, std::size_t units, double* scores) {
  HWY_DYNAMIC_DISPATCH(add_row_scores)(network, features, units, scores);
}

}  // namespace accrete::network
#endif
