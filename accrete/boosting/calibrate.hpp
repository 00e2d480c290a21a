#pragma once
// Split-conformal calibration (model::Calibration) on rows that the fit did not use.

#include <cstddef>
#include <span>
#include <vector>

#include "accrete/comm/communicator.hpp"
#include "accrete/core/parallel.hpp"
#include "accrete/data/table.hpp"
#include "accrete/model/model.hpp"

namespace accrete::boosting {

/// Minimum number of calibration rows that can guarantee this coverage.
std::size_t min_calibration_rows(double coverage);

/// The conformal score of a row: how far the target is outside the outer quantiles (negative inside), or 1 minus the
/// probability of the true class.
double conformal_score(const model::Model& model, std::span<const double> prediction, double target);

/// The ceil((n + 1) coverage)-th smallest of n scores. Throws DataError if there are too few.
double conformal_quantile(std::vector<double> scores, double coverage);

/// Calibrates every prefix of the model on the rows of the table, which may be those of a rank. targets: as returned by
/// data::read_target_as. Throws DataError for too few rows, UsageError for a model with neither outer quantiles nor
/// classes.
model::Calibration calibrate(const model::Model& model, const data::Table& table,
                             core::MatrixView<const double> targets, double coverage, core::Workers& workers,
                             comm::Communicator& comm = comm::one_process());

}  // namespace accrete::boosting
