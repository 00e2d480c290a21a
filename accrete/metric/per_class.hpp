#pragma once
// Precision and recall of each class, from which class metrics are averaged.

#include <cstddef>
#include <vector>

#include "accrete/metric/labelled_predictions.hpp"

namespace accrete::metric {

/// Sums of row weights of one class.
struct ClassCounts {
  double rows = 0.0;       ///< of this class
  double predicted = 0.0;  ///< predicted as this class
  double correct = 0.0;    ///< both

  bool is_present() const { return rows > 0.0; }
  double precision() const { return correct / predicted; }  ///< NaN if no row is predicted as this class
  double recall() const { return correct / rows; }          ///< NaN if this class has no rows
  /// Harmonic mean of precision and recall; NaN for a class that is neither present nor predicted.
  double f1() const { return 2.0 * correct / (rows + predicted); }
};

/// One entry per class.
inline std::vector<ClassCounts> count_classes(const LabelledPredictions& c) {
  std::vector<ClassCounts> counts(c.predictions.cols);
  for (std::size_t r = 0; r < c.rows(); ++r) {
    const std::size_t label = c.label(r), predicted = c.predicted(r);
    counts[label].rows += c.weight(r);
    counts[predicted].predicted += c.weight(r);
    if (label == predicted) counts[label].correct += c.weight(r);
  }
  return counts;
}

/// Mean of value(counts) over the classes for which it is not NaN; NaN if there are none.
template <class Value>
double mean_over_classes(const std::vector<ClassCounts>& counts, Value&& value) {
  double sum = 0.0, known = 0.0;
  for (const ClassCounts& one : counts)
    if (const double x = value(one); x == x) {
      sum += x;
      known += 1.0;
    }
  return sum / known;
}

}  // namespace accrete::metric
