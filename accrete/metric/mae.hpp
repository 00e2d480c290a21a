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
    return mean_over_rows(c, [&](std::size_t r) {
      double sum = 0.0;
      for (std::size_t k = 0; k < c.targets.cols; ++k) sum += std::abs(c.predictions(r, k) - c.targets(r, k));
      return sum / static_cast<double>(c.targets.cols);
    });
  }
};

}  // namespace accrete::metric
