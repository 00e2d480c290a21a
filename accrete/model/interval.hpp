#pragma once
// Intervals and sets of a calibrated model.

#include <cstddef>
#include <string>
#include <vector>

#include "accrete/core/matrix.hpp"
#include "accrete/model/model.hpp"

namespace accrete::model {

/// Throws UsageError unless the model is calibrated.
void require_calibration(const Model& model);

/// True if a fit for an interval made the model: its prediction is one value, the median, also after it grew.
bool predicts_median(const Model& model);

/// Regression: rows x 2, the lower and upper end for predictions of the prefix of `steps` steps.
core::Matrix<double> intervals_of(const Model& model, core::MatrixView<const double> predictions, std::size_t steps);

/// Classes: rows x classes, 1 for every class of the set and 0 elsewhere. A set is never empty.
core::Matrix<double> sets_of(const Model& model, core::MatrixView<const double> predictions, std::size_t steps);

/// How good the intervals or sets are on labelled rows. size: mean width, or mean number of classes.
struct IntervalQuality {
  double coverage, size;
};
IntervalQuality measure_intervals(const Model& model, core::MatrixView<const double> predictions, std::size_t steps,
                                  core::MatrixView<const double> targets, std::span<const double> weights);

/// How an interval or set follows from the predictions of all units, for exports, which predict without it: "no
/// intervals: ...". Empty if the model is not calibrated.
std::string interval_note(const Model& model);

}  // namespace accrete::model
