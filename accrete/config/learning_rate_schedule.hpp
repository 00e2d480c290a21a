#pragma once
// The learning rate of each step.

#include <cstddef>

#include "accrete/core/inline.hpp"

namespace accrete::config {

struct LearningRateSchedule {
  double learning_rate = 1.0;
  double first_rate = 0.0;  ///< 0: learning_rate from the first step on

  /// max(first_rate / (step + 1), learning_rate). Larger first steps make short prefixes more accurate.
  ACCRETE_HOST_DEVICE constexpr double at(std::size_t step) const {
    const double early = first_rate / static_cast<double>(1 + step);
    return early > learning_rate ? early : learning_rate;
  }
};

}  // namespace accrete::config
