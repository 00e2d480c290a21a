#pragma once
#include <cmath>

#include "accrete/metric/labelled_predictions.hpp"

namespace accrete::metric {

/// Mean absolute error over rows and outputs.
struct Mae {
  static constexpr const char* name = "mae";
  static constexpr const char* summary = "mean absolute error, in the target's units";
  static constexpr bool classes = false;
  static constexpr bool higher_is_better = false;
  static constexpr bool is_share = false;

  static double value(const LabelledPredictions& c) {
    return mean_over_outputs(c, [](double prediction, double target) { return std::abs(prediction - target); });
  }
};

}  // namespace accrete::metric
