#pragma once
#include <cmath>

#include "accrete/metric/labelled_predictions.hpp"

namespace accrete::metric {

/// Mean of |error| / |target| over rows and outputs. Leaves out targets of 0; NaN if all are 0.
struct Mape {
  static constexpr const char* name = "mape";
  static constexpr const char* summary = "mean absolute percentage error; targets of 0 are left out";
  static constexpr bool classes = false;
  static constexpr bool higher_is_better = false;
  static constexpr bool is_share = true;

  static double value(const LabelledPredictions& c) {
    double sum = 0.0, total = 0.0;
    for (std::size_t r = 0; r < c.rows(); ++r)
      for (std::size_t k = 0; k < c.targets.cols; ++k) {
        if (c.targets(r, k) == 0.0) continue;
        sum += c.weight(r) * std::abs((c.predictions(r, c.point.column + k) - c.targets(r, k)) / c.targets(r, k));
        total += c.weight(r);
      }
    return sum / total;
  }
};

}  // namespace accrete::metric
