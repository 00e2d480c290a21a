#pragma once
#include <algorithm>
#include <cmath>

#include "accrete/core/math.hpp"
#include "accrete/loss/formula.hpp"
#include "accrete/loss/start.hpp"

namespace accrete::loss {

/// Targets y between 0 and 1, such as probabilities of another model, or several yes/no targets; F is the logit of
/// each.
struct CrossEntropy : Separable<CrossEntropy> {
  static constexpr const char* name = "cross_entropy";
  static constexpr const char* summary =
      "ln(1 + exp(F)) - y F, for probabilities and several yes/no targets (0 to 1); predicts 1 / (1 + exp(-F))";
  static constexpr Link link = Link::probability;

  template <class T>
  ACCRETE_INLINE static T value(T y, T f, const LossSettings&) {
    // Equals ln(1 + exp(F)) - y F without overflow.
    return y * core::softplus(-f) + (T(1) - y) * core::softplus(f);
  }
  template <class T>
  ACCRETE_INLINE static T derivative(T y, T f, const LossSettings&) {
    return (T(1) - y) * core::sigmoid(f) - y * core::sigmoid(-f);
  }
  template <class T>
  ACCRETE_INLINE static T curvature(T, T f, const LossSettings&) {
    return core::sigmoid(f) * core::sigmoid(-f);
  }
  static double start(const WeightedTargets& sample, const LossSettings&) {
    const double p = std::clamp(weighted_mean(sample), min_share, 1.0 - min_share);
    return std::log(p / (1.0 - p));
  }
};

}  // namespace accrete::loss
