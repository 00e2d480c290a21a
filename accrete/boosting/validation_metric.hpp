#pragma once
// The metric that early stopping and choosing look at, as a cost of validation scores.

#include "accrete/boosting/prepare.hpp"
#include "accrete/boosting/train.hpp"

namespace accrete::boosting {

/// Nothing if the fit has no validation set or config.metric is the loss. `fit` and `options` must outlive the
/// function, which throws DataError if the metric has no value on the validation set, such as auc where all rows are of
/// one class.
ValidationMetric validation_metric(const PreparedFit& fit, const FitOptions& options);

/// The cost that candidates are compared by on a held-out fold: the metric, or how much it falls short of 1 if higher
/// is better. NaN where the metric has no value. Nothing if config.metric is the loss. The arguments must outlive it.
ValidationMetric held_out_metric(const model::Model& model, const data::Dataset& held_out,
                                 const config::ResolvedConfig& config);

/// The metric of a cost.
double metric_value(const PreparedFit& fit, const FitOptions& options, double cost);

}  // namespace accrete::boosting
