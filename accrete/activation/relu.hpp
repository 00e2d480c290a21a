#pragma once
#include "accrete/core/inline.hpp"

namespace accrete::activation {

struct Relu {
  static constexpr const char* name = "relu";
  static constexpr const char* summary = "max(0, z); cheapest, the default for classes";
  static constexpr double init_gain = 6.0;
  static constexpr const char* c_body = "return z > 0.0f ? z : 0.0f;";

  template <class T>
  ACCRETE_INLINE static T value(T z) {
    return z > T(0) ? z : T(0);
  }
  template <class T>
  ACCRETE_INLINE static T slope(T a) {
    return a > T(0) ? T(1) : T(0);
  }
};

}  // namespace accrete::activation
