#pragma once
// The metric that early stopping looks at, as a cost of validation scores.

#include "accrete/boosting/prepare.hpp"
#include "accrete/boosting/train.hpp"

namespace accrete::boosting {

/// Nothing if the fit has no validation set or config.metric is the loss. `fit` and `options` must outlive the
/// function, which throws DataError if the metric has no value on the validation set, such as auc where all rows are of
/// one class.
ValidationMetric validation_metric(const PreparedFit& fit, const FitOptions& options);

/// The metric of a cost.
double metric_value(const PreparedFit& fit, const FitOptions& options, double cost);

}  // namespace accrete::boosting
