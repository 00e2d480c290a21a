#pragma once
// Weights of rows by class and by the value of a column.

#include <cstddef>
#include <span>

#include "accrete/boosting/prepare.hpp"
#include "accrete/boosting/read.hpp"

namespace accrete::boosting {

/// Multiplies the table's sample weights by the weights of named classes and groups in fit.config; the fit equals one
/// with these products, rounded to float, as sample weights. Groups without given weights are balanced over the
/// training rows, after class weights are applied. Balancing of classes is left to encode_split, which knows the rows
/// of each fold. Throws UsageError for an unknown column, for a name that is unknown or given twice and for a weight
/// that is not above 0.
void weigh_rows(TrainingTable& table, std::span<const std::size_t> training_rows, const PreparedFit& fit);

}  // namespace accrete::boosting
