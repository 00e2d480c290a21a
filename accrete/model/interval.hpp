#pragma once
// Prediction intervals and sets of a calibrated model.

#include <cstddef>
#include <string>

#include "accrete/core/matrix.hpp"
#include "accrete/model/model.hpp"

namespace accrete::model {

/// Throws UsageError unless the model is calibrated.
void require_calibration(const Model& model);

/// True if the model was fitted for an interval: its prediction is a single value, the median, also after growing.
bool predicts_median(const Model& model);

/// Regression: rows x 2, the lower and upper end of each interval. steps: the prefix that made the predictions.
core::Matrix<double> intervals_of(const Model& model, core::MatrixView<const double> predictions, std::size_t steps);

/// Classes: rows x classes, 1 for every class in the set and 0 otherwise. A set is never empty.
core::Matrix<double> sets_of(const Model& model, core::MatrixView<const double> predictions, std::size_t steps);

/// Quality of intervals or sets on labelled rows. size: mean width, or mean number of classes.
struct IntervalQuality {
  double coverage, size;
};
IntervalQuality measure_intervals(const Model& model, core::MatrixView<const double> predictions, std::size_t steps,
                                  core::MatrixView<const double> targets, std::span<const double> weights);

/// "no intervals: ...": how an interval or set follows from the predictions of all units, for exports, which predict
/// without it. Empty if the model is not calibrated.
std::string interval_note(const Model& model);

}  // namespace accrete::model
