#pragma once
#include "accrete/metric/per_class.hpp"

namespace accrete::metric {

/// Mean over the classes of the share of their rows that are predicted correctly; classes without rows are left out.
struct BalancedAccuracy {
  static constexpr const char* name = "balanced_accuracy";
  static constexpr const char* summary = "accuracy with the same weight for every class: the mean recall";
  static constexpr bool classes = true;
  static constexpr bool higher_is_better = true;
  static constexpr bool is_share = true;

  static double value(const LabelledPredictions& c) {
    return mean_over_classes(count_classes(c), [](const ClassCounts& one) { return one.recall(); });
  }
};

}  // namespace accrete::metric
