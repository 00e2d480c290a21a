#pragma once
// The input of a metric.

#include <algorithm>
#include <cstddef>
#include <span>

#include "accrete/core/matrix.hpp"

namespace accrete::metric {

/// Which quantile of the target the predicted value is, for the pinball loss, and its column for the first target.
struct PointPrediction {
  double level = 0.5;
  std::size_t column = 0;
};

/// Predictions with the true targets. predictions: rows x classes (probabilities) or rows x targets (values). targets:
/// rows x 1 (class indices) or rows x targets (values). weights: one per row, or empty for equal weights. Non-owning.
struct LabelledPredictions {
  core::MatrixView<const double> predictions;
  core::MatrixView<const double> targets;
  std::span<const double> weights;
  PointPrediction point = {};

  std::size_t rows() const { return targets.rows; }
  double weight(std::size_t row) const { return weights.empty() ? 1.0 : weights[row]; }
  std::size_t label(std::size_t row) const { return static_cast<std::size_t>(targets(row, 0)); }
  /// The most probable class; ties go to the first.
  std::size_t predicted(std::size_t row) const {
    const auto p = predictions.row(row);
    return static_cast<std::size_t>(std::ranges::max_element(p) - p.begin());
  }
};

/// Weighted mean of value(row) over the rows; NaN if there are none.
template <class Value>
double mean_over_rows(const LabelledPredictions& c, Value&& value) {
  double sum = 0.0, total = 0.0;
  for (std::size_t r = 0; r < c.rows(); ++r) {
    sum += c.weight(r) * value(r);
    total += c.weight(r);
  }
  return sum / total;
}

/// Weighted mean of loss(prediction, target) over rows and outputs.
template <class Loss>
double mean_over_outputs(const LabelledPredictions& c, Loss&& loss) {
  return mean_over_rows(c, [&](std::size_t r) {
    double sum = 0.0;
    for (std::size_t k = 0; k < c.targets.cols; ++k) sum += loss(c.predictions(r, c.point.column + k), c.targets(r, k));
    return sum / static_cast<double>(c.targets.cols);
  });
}

}  // namespace accrete::metric
