#pragma once
#include "accrete/core/math.hpp"

namespace accrete::activation {

struct Logistic {
  static constexpr const char* name = "logistic";
  static constexpr const char* summary = "1 / (1 + exp(-z)), the paper's hidden unit";
  /// Initial weights are uniform in +-sqrt(init_gain / (fan_in + fan_out)).
  static constexpr double init_gain = 2.0;
  /// value(z) as the body of a C function with the parameter `float z`.
  static constexpr const char* c_body =
      "const float e = expf(z < 0.0f ? z : -z);\n  return (z < 0.0f ? e : 1.0f) / (1.0f + e);";

  template <class T>
  ACCRETE_INLINE static T value(T z) {
    return core::sigmoid(z);
  }
  /// The derivative with respect to z, computed from a = value(z).
  template <class T>
  ACCRETE_INLINE static T slope(T a) {
    return a * (T(1) - a);
  }
};

}  // namespace accrete::activation
