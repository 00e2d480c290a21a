#pragma once
// Losses and metrics that are Python functions.

#include <nanobind/nanobind.h>

#include <memory>

#include "accrete/boosting/fit.hpp"
#include "accrete/loss/custom.hpp"

namespace accrete::python {

/// function(y, score) returns (value, gradient, curvature): arrays of one entry per row, the last two also one column
/// per output. value may be one number, the mean. The GIL is held only during the call.
std::shared_ptr<const loss::CustomLoss> make_loss(nanobind::callable function);

/// function(y, prediction, weight) returns a number; smaller is better.
boosting::CustomMetric make_metric(nanobind::callable function);

}  // namespace accrete::python
