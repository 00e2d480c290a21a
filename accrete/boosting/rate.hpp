#pragma once
// How much of a step is kept.

#include <cstddef>

#include "accrete/core/inline.hpp"

namespace accrete::boosting {

struct Rate {
  double learning_rate = 1.0;
  double first_rate = 0.0;  ///< 0: the first step is like all others

  /// first_rate, a half of it, a third of it, ... for as long as that is more than learning_rate: the first steps have
  /// most to explain, and a network whose last units are switched off lives on them.
  ACCRETE_ANYWHERE constexpr double of_step(std::size_t step) const {
    const double early = first_rate / static_cast<double>(1 + step);
    return early > learning_rate ? early : learning_rate;
  }
};

}  // namespace accrete::boosting
