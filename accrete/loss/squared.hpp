#pragma once
#include "accrete/loss/formula.hpp"
#include "accrete/loss/start.hpp"

namespace accrete::loss {

struct Squared : Separable<Squared> {
  static constexpr const char* name = "squared";
  static constexpr const char* summary = "(y - F)^2 / 2, for regression on the mean";
  static constexpr bool scales = true;
  static constexpr bool unit_step = true;

  template <class T>
  ACCRETE_INLINE static T value(T y, T f, const LossSettings&) {
    return T(0.5) * (y - f) * (y - f);
  }
  template <class T>
  ACCRETE_INLINE static T derivative(T y, T f, const LossSettings&) {
    return f - y;
  }
  template <class T>
  ACCRETE_INLINE static T curvature(T, T, const LossSettings&) {
    return T(1);
  }
  static double start(const WeightedTargets& sample, const LossSettings&) { return weighted_mean(sample); }
  static double in_target_units(double value, double scale) { return value * scale * scale; }
};

}  // namespace accrete::loss
