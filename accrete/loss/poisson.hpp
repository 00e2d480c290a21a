#pragma once
#include <algorithm>
#include <cmath>

#include "accrete/core/math.hpp"
#include "accrete/loss/formula.hpp"
#include "accrete/loss/start.hpp"

namespace accrete::loss {

/// Counts: y >= 0; F is the logarithm of the expected count.
struct Poisson : Separable<Poisson> {
  static constexpr const char* name = "poisson";
  static constexpr const char* summary = "exp(F) - y F, for counts (targets of 0 and above); predicts exp(F)";
  static constexpr Link link = Link::exponential;

  template <class T>
  ACCRETE_INLINE static T value(T y, T f, const LossSettings&) {
    return core::exp(f) - y * f;
  }
  template <class T>
  ACCRETE_INLINE static T derivative(T y, T f, const LossSettings&) {
    return core::exp(f) - y;
  }
  template <class T>
  ACCRETE_INLINE static T curvature(T, T f, const LossSettings&) {
    return core::exp(f);
  }
  static double start(const WeightedTargets& sample, const LossSettings&) {
    return std::log(std::max(weighted_mean(sample), min_share));
  }
};

}  // namespace accrete::loss
