#pragma once
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "accrete/core/error.hpp"
#include "accrete/metric/case.hpp"

namespace accrete::metric {

/// Chance that a row of class 1 is given a higher probability of class 1 than a row of class 0, ties counting
/// half. NaN when the rows hold one class only. Throws UsageError unless there are two classes.
struct Auc {
  static constexpr const char* name = "auc";
  static constexpr const char* summary = "area under the ROC curve, for two classes";
  static constexpr bool classes = true;
  static constexpr bool binary_only = true;
  static constexpr bool higher_is_better = true;

  static double value(const Case& c) {
    if (c.predictions.cols != 2) throw core::UsageError("auc is for two classes only");
    const auto score = [&](std::size_t r) { return c.predictions(r, 1); };
    std::vector<std::size_t> order(c.rows());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return score(a) < score(b); });

    // Weight below the present score, by class; rows of one score are a group and meet each other half way.
    double below[2] = {0.0, 0.0}, area = 0.0;
    for (std::size_t i = 0; i < order.size();) {
      double here[2] = {0.0, 0.0};
      const double at = score(order[i]);
      do {
        here[c.label(order[i])] += c.weight(order[i]);
      } while (++i < order.size() && score(order[i]) == at);
      area += here[1] * (below[0] + 0.5 * here[0]);
      below[0] += here[0];
      below[1] += here[1];
    }
    return area / (below[0] * below[1]);
  }
};

}  // namespace accrete::metric
