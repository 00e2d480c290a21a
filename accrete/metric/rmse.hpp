#pragma once
#include <cmath>

#include "accrete/metric/labelled_predictions.hpp"

namespace accrete::metric {

/// Square root of the mean squared error over rows and outputs.
struct Rmse {
  static constexpr const char* name = "rmse";
  static constexpr const char* summary = "root of the mean squared error, in the target's units";
  static constexpr bool classes = false;
  static constexpr bool higher_is_better = false;
  static constexpr bool is_share = false;

  static double value(const LabelledPredictions& c) {
    return std::sqrt(mean_over_outputs(
        c, [](double prediction, double target) { return (prediction - target) * (prediction - target); }));
  }
};

}  // namespace accrete::metric
