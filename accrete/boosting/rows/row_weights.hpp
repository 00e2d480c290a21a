#pragma once
// Weights of rows by class and by the value of a column.

#include <cstddef>
#include <span>

#include "accrete/boosting/prepare.hpp"
#include "accrete/boosting/read.hpp"

namespace accrete::boosting {

/// Multiplies the sample weights of the table by the weights of named classes and groups in fit.config, so that the fit
/// is the one with these products as sample weights. Groups without weights are balanced over the training rows, after
/// the weights of classes. Balanced classes are left to encode_split, which knows the rows of each fold. Throws
/// UsageError for an unknown column, for a name that is unknown or given twice and for a weight that is not above 0.
void weigh_rows(TrainingTable& table, std::span<const std::size_t> training_rows, const PreparedFit& fit);

}  // namespace accrete::boosting
