#pragma once
#include "accrete/loss/formula.hpp"
#include "accrete/loss/start.hpp"

namespace accrete::loss {

/// Squared error within delta of the target, linear beyond: bounds the gradient of outliers.
struct Huber : Separable<Huber> {
  static constexpr const char* name = "huber";
  static constexpr const char* summary = "squared within huber_delta of the target, linear beyond, for outliers";
  static constexpr bool scales = true;
  static constexpr bool exact_curvature = false;

  template <class T>
  ACCRETE_INLINE static T value(T y, T f, const LossSettings& s) {
    const T delta = static_cast<T>(s.huber_delta);
    const T e = f - y, a = e < T(0) ? -e : e;
    return a <= delta ? T(0.5) * e * e : delta * (a - T(0.5) * delta);
  }
  template <class T>
  ACCRETE_INLINE static T derivative(T y, T f, const LossSettings& s) {
    const T delta = static_cast<T>(s.huber_delta);
    const T e = f - y;
    const T low = e < -delta ? -delta : e;
    return low > delta ? delta : low;
  }
  /// An upper bound. The second derivative is 0 beyond delta, which would make Newton steps unbounded.
  template <class T>
  ACCRETE_INLINE static T curvature(T, T, const LossSettings&) {
    return T(1);
  }
  static double start(const WeightedTargets& sample, const LossSettings& s) {
    return root_of_mean_derivative(sample, [&](double y, double f) { return derivative(y, f, s); });
  }
  static double in_target_units(double value, double scale) { return value * scale * scale; }
};

}  // namespace accrete::loss
