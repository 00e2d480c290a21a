#pragma once
#include "accrete/metric/labelled_predictions.hpp"

namespace accrete::metric {

/// Share of rows whose most probable class is the true one; ties go to the first class.
struct Accuracy {
  static constexpr const char* name = "accuracy";
  static constexpr const char* summary = "share of rows whose most probable class is the true one";
  static constexpr bool classes = true;
  static constexpr bool higher_is_better = true;
  static constexpr bool is_share = true;

  static double value(const LabelledPredictions& c) {
    return mean_over_rows(c, [&](std::size_t r) { return c.predicted(r) == c.label(r) ? 1.0 : 0.0; });
  }
};

}  // namespace accrete::metric
