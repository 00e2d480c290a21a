#pragma once
#include <algorithm>
#include <cmath>

#include "accrete/core/math.hpp"
#include "accrete/loss/formula.hpp"
#include "accrete/loss/start.hpp"

namespace accrete::loss {

/// Two classes, y in {0, 1}, F the logit. With labels s = 2y - 1 and scores F/2 this is the paper's ln(1 + exp(-2 s
/// F)). The paper's pseudo-residual is twice -derivative and its Newton step half of the one used here.
struct Logistic : Separable<Logistic> {
  static constexpr const char* name = "logistic";
  static constexpr const char* summary = "ln(1 + exp(-F)) for class 1, ln(1 + exp(F)) for class 0, for two classes";
  static constexpr bool classes = true;
  static constexpr double residual_scale = 2.0;
  static constexpr Link link = Link::sigmoid;

  template <class T>
  ACCRETE_INLINE static T value(T y, T f, const LossSettings&) {
    return core::softplus((T(1) - T(2) * y) * f);
  }
  template <class T>
  ACCRETE_INLINE static T derivative(T y, T f, const LossSettings&) {
    // sigmoid(f) - y without cancellation for well-classified rows.
    const T wrong = T(1) - T(2) * y;
    return wrong * core::sigmoid(wrong * f);
  }
  /// Shares one exponential, kept in `derivative` between the two loops. A single loop would be too long for the
  /// processor to overlap its iterations.
  template <class T>
  ACCRETE_INLINE static void values_and_derivatives(const LossRows<T>& rows, T* value, T* derivative) {
    T* __restrict v = value;
    for (std::size_t r = 0; r < rows.count; ++r) v[r] = T(0);
    for (std::size_t k = 0; k < rows.outputs; ++k) {
      const T* __restrict y = rows.targets + k * rows.stride;
      const T* __restrict f = rows.scores + k * rows.stride;
      T* __restrict d = derivative + k * rows.stride;
      for (std::size_t r = 0; r < rows.count; ++r) d[r] = core::exp(f[r] < T(0) ? f[r] : -f[r]);
      for (std::size_t r = 0; r < rows.count; ++r) {
        const T wrong = T(1) - T(2) * y[r], margin = wrong * f[r], e = d[r];
        d[r] = wrong * (margin < T(0) ? e : T(1)) / (T(1) + e);
        v[r] += (margin < T(0) ? T(0) : margin) + core::log1p(e);
      }
    }
  }
  template <class T>
  ACCRETE_INLINE static T curvature(T, T f, const LossSettings&) {
    return core::sigmoid(f) * core::sigmoid(-f);
  }
  /// The derivative's magnitude is sigmoid(f) or 1 - sigmoid(f), so no exponential is needed.
  template <class T>
  ACCRETE_INLINE static void curvatures_from_derivatives(const LossRows<T>& rows, const T* derivative, T* curvature) {
    for (std::size_t k = 0; k < rows.outputs; ++k) {
      const T* __restrict d = derivative + k * rows.stride;
      T* __restrict c = curvature + k * rows.stride;
      for (std::size_t r = 0; r < rows.count; ++r) {
        const T p = d[r] < T(0) ? -d[r] : d[r];
        c[r] = p < T(1) ? p * (T(1) - p) : T(0);  // rounding can take p above 1
      }
    }
  }
  /// The log odds: twice the paper's F_0, with the sign error of the paper corrected.
  static double start(const WeightedTargets& sample, const LossSettings&) {
    const double p = std::clamp(weighted_mean(sample), min_share, 1.0 - min_share);
    return std::log(p / (1.0 - p));
  }
};

}  // namespace accrete::loss
