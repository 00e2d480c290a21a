#pragma once
#include "accrete/core/math.hpp"

namespace accrete::activation {

struct Logistic {
  static constexpr const char* name = "logistic";
  static constexpr const char* summary = "1 / (1 + exp(-z)), the paper's hidden unit";
  /// Initial weights are uniform in +-sqrt(init_gain / (fan_in + fan_out)).
  static constexpr double init_gain = 2.0;

  template <class T>
  ACCRETE_INLINE static T value(T z) {
    return core::sigmoid(z);
  }
  /// The derivative by z, from the value a = value(z).
  template <class T>
  ACCRETE_INLINE static T slope(T a) {
    return a * (T(1) - a);
  }
};

}  // namespace accrete::activation
