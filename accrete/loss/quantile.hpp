#pragma once
#include "accrete/loss/formula.hpp"
#include "accrete/loss/start.hpp"

namespace accrete::loss {

/// Pinball loss, minimised by the quantile of y given x. With several levels, each output predicts one of them.
struct Quantile : Separable<Quantile> {
  static constexpr const char* name = "quantile";
  static constexpr const char* summary = "pinball loss, for regression on a quantile";
  static constexpr bool scales = true;
  static constexpr bool exact_curvature = false;

  ACCRETE_INLINE static std::size_t target_of(std::size_t k, const LossSettings& s) {
    return s.level_count > 0 ? 0 : k;
  }
  ACCRETE_INLINE static LossSettings settings_of(std::size_t k, LossSettings s) {
    if (s.level_count > 0) s.quantile = s.levels[k];
    return s;
  }

  template <class T>
  ACCRETE_INLINE static T value(T y, T f, const LossSettings& s) {
    const T q = static_cast<T>(s.quantile), e = y - f;
    return e > T(0) ? q * e : (q - T(1)) * e;
  }
  template <class T>
  ACCRETE_INLINE static T derivative(T y, T f, const LossSettings& s) {
    const T q = static_cast<T>(s.quantile);
    return y > f ? -q : T(1) - q;
  }
  /// The second derivative is 0; with 1 the Newton step becomes a gradient descent step in standardised units.
  template <class T>
  ACCRETE_INLINE static T curvature(T, T, const LossSettings&) {
    return T(1);
  }
  static double start(const WeightedTargets& sample, const LossSettings& s) {
    return weighted_quantile(sample, s.quantile);
  }
  static double in_target_units(double value, double scale) { return value * scale; }
};

}  // namespace accrete::loss
