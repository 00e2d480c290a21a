#pragma once
#include "accrete/core/math.hpp"

namespace accrete::activation {

struct Tanh {
  static constexpr const char* name = "tanh";
  static constexpr const char* summary = "hyperbolic tangent; smooth, the default for regression";
  static constexpr double init_gain = 6.0;
  static constexpr const char* c_body = "return tanhf(z);";

  template <class T>
  ACCRETE_INLINE static T value(T z) {
    return core::tanh(z);
  }
  template <class T>
  ACCRETE_INLINE static T slope(T a) {
    return T(1) - a * a;
  }
};

}  // namespace accrete::activation
