#pragma once
#include <algorithm>
#include <cmath>

#include "accrete/metric/labelled_predictions.hpp"

namespace accrete::metric {

/// Mean of -ln(probability of the true class). Probabilities are clipped to [1e-15, 1 - 1e-15] to keep it finite.
struct LogLoss {
  static constexpr const char* name = "log_loss";
  static constexpr const char* summary = "mean of -ln(probability of the true class)";
  static constexpr bool classes = true;
  static constexpr bool higher_is_better = false;
  static constexpr bool is_share = false;

  static double value(const LabelledPredictions& c) {
    constexpr double clip = 1e-15;
    return mean_over_rows(
        c, [&](std::size_t r) { return -std::log(std::clamp(c.predictions(r, c.label(r)), clip, 1.0 - clip)); });
  }
};

}  // namespace accrete::metric
