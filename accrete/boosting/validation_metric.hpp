#pragma once
// The metric that early stopping and choosing use, expressed as a cost of validation scores.

#include "accrete/boosting/prepare.hpp"
#include "accrete/boosting/train.hpp"

namespace accrete::boosting {

/// Empty if the fit has no validation set or config.metric is the loss. `fit` and `options` must outlive the function.
/// It throws DataError if the metric is undefined on the validation set, such as auc if all rows are of one class.
ValidationMetric validation_metric(const PreparedFit& fit, const FitOptions& options);

/// The cost by which candidates are compared on a held-out fold: the metric, or 1 - metric if higher is better. NaN if
/// the metric is undefined. Empty if config.metric is the loss. The arguments must outlive the function.
ValidationMetric held_out_metric(const model::Model& model, const data::Dataset& held_out,
                                 const config::ResolvedConfig& config);

/// Converts a cost back to the metric's value.
double metric_value(const PreparedFit& fit, const FitOptions& options, double cost);

}  // namespace accrete::boosting
