#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include "accrete/metric/labelled_predictions.hpp"

namespace accrete::metric {

/// Probability that a row of class 1 ranks above a row of class 0; ties count half. For three or more classes, the mean
/// of the one-vs-rest values of all classes that have rows. NaN if all rows are of one class.
struct Auc {
  static constexpr const char* name = "auc";
  static constexpr const char* summary =
      "area under the ROC curve; three classes or more: mean of one against the rest";
  static constexpr bool classes = true;
  static constexpr bool higher_is_better = true;
  static constexpr bool is_share = false;

  static double value(const LabelledPredictions& c) {
    if (c.predictions.cols == 2) return of_class(c, 1);
    double sum = 0.0;
    std::size_t known = 0;
    for (std::size_t k = 0; k < c.predictions.cols; ++k)
      if (const double area = of_class(c, k); area == area) {
        sum += area;
        ++known;
      }
    return known > 0 ? sum / static_cast<double>(known) : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  static double of_class(const LabelledPredictions& c, std::size_t positive) {
    const auto score = [&](std::size_t r) { return c.predictions(r, positive); };
    std::vector<std::size_t> order(c.rows());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return score(a) < score(b); });

    // Weights of the others and of the class: below the current score, and tied at it. Tied pairs count half.
    double below[2] = {0.0, 0.0}, area = 0.0;
    for (std::size_t i = 0; i < order.size();) {
      double tied[2] = {0.0, 0.0};
      const double current = score(order[i]);
      do {
        tied[c.label(order[i]) == positive ? 1 : 0] += c.weight(order[i]);
      } while (++i < order.size() && score(order[i]) == current);
      area += tied[1] * (below[0] + 0.5 * tied[0]);
      below[0] += tied[0];
      below[1] += tied[1];
    }
    return area / (below[0] * below[1]);
  }
};

}  // namespace accrete::metric
