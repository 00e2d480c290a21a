#pragma once
#include "accrete/loss/formula.hpp"
#include "accrete/loss/start.hpp"

namespace accrete::loss {

/// The pinball loss: its minimiser is the quantile of y given x.
struct Quantile : Separable<Quantile> {
  static constexpr const char* name = "quantile";
  static constexpr const char* summary = "pinball loss at --quantile, for regression on a quantile";
  static constexpr bool scales = true;
  static constexpr bool exact_curvature = false;

  template <class T>
  ACCRETE_INLINE static T value(T y, T f, const Settings& s) {
    const T q = static_cast<T>(s.quantile), e = y - f;
    return e > T(0) ? q * e : (q - T(1)) * e;
  }
  template <class T>
  ACCRETE_INLINE static T derivative(T y, T f, const Settings& s) {
    const T q = static_cast<T>(s.quantile);
    return y > f ? -q : T(1) - q;
  }
  /// The true one is zero; 1 makes the step that of plain gradient descent in the target's standard units.
  template <class T>
  ACCRETE_INLINE static T curvature(T, T, const Settings&) {
    return T(1);
  }
  static double start(const Sample& sample, const Settings& s) { return weighted_quantile(sample, s.quantile); }
  static double in_target_units(double value, double scale) { return value * scale; }
};

}  // namespace accrete::loss
