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
    return std::sqrt(mean_over_rows(c, [&](std::size_t r) {
      double sum = 0.0;
      for (std::size_t k = 0; k < c.targets.cols; ++k) {
        const double e = c.predictions(r, k) - c.targets(r, k);
        sum += e * e;
      }
      return sum / static_cast<double>(c.targets.cols);
    }));
  }
};

}  // namespace accrete::metric
