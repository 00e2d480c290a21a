#pragma once
#include "accrete/metric/per_class.hpp"

namespace accrete::metric {

/// Harmonic mean of precision and recall: of the second class if there are two, otherwise the mean over all classes. A
/// class that is neither present nor predicted is left out.
struct F1 {
  static constexpr const char* name = "f1";
  static constexpr const char* summary =
      "harmonic mean of precision and recall, of the second of two classes or averaged over all";
  static constexpr bool classes = true;
  static constexpr bool higher_is_better = true;
  static constexpr bool is_share = false;

  static double value(const LabelledPredictions& c) {
    const auto counts = count_classes(c);
    if (counts.size() == 2) return counts[1].f1();
    return mean_over_classes(counts, [](const ClassCounts& one) { return one.f1(); });
  }
};

}  // namespace accrete::metric
