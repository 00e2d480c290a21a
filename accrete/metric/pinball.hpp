#pragma once
#include "accrete/metric/labelled_predictions.hpp"

namespace accrete::metric {

/// Mean over rows and outputs of q e for errors e = target - prediction above 0, and (q - 1) e for errors below.
/// Minimised by the quantile q of the target; with q = 0.5 it is half the mean absolute error.
struct Pinball {
  static constexpr const char* name = "pinball";
  static constexpr const char* summary = "quantile loss at the model's quantile (0.5: half of mae)";
  static constexpr bool classes = false;
  static constexpr bool higher_is_better = false;
  static constexpr bool is_share = false;

  static double value(const LabelledPredictions& c) {
    return mean_over_outputs(c, [&](double prediction, double target) {
      return (target > prediction ? c.point.level : c.point.level - 1.0) * (target - prediction);
    });
  }
};

}  // namespace accrete::metric
