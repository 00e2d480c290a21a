#pragma once
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "accrete/core/error.hpp"
#include "accrete/metric/labelled_predictions.hpp"

namespace accrete::metric {

/// Probability that a row of class 1 ranks above a row of class 0; ties count half. NaN if all rows are of one class.
/// Throws UsageError unless there are two classes.
struct Auc {
  static constexpr const char* name = "auc";
  static constexpr const char* summary = "area under the ROC curve, for two classes";
  static constexpr bool classes = true;
  static constexpr bool binary_only = true;
  static constexpr bool higher_is_better = true;

  static double value(const LabelledPredictions& c) {
    if (c.predictions.cols != 2)
      throw core::UsageError("auc needs two classes; there are " + std::to_string(c.predictions.cols));
    const auto score = [&](std::size_t r) { return c.predictions(r, 1); };
    std::vector<std::size_t> order(c.rows());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return score(a) < score(b); });

    // Weights by class: below the current score, and tied at it. Tied pairs count half.
    double below[2] = {0.0, 0.0}, area = 0.0;
    for (std::size_t i = 0; i < order.size();) {
      double tied[2] = {0.0, 0.0};
      const double current = score(order[i]);
      do {
        tied[c.label(order[i])] += c.weight(order[i]);
      } while (++i < order.size() && score(order[i]) == current);
      area += tied[1] * (below[0] + 0.5 * tied[0]);
      below[0] += tied[0];
      below[1] += tied[1];
    }
    return area / (below[0] * below[1]);
  }
};

}  // namespace accrete::metric
