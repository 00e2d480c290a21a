#pragma once
// Offsets at prediction: known parts of the score that the network does not model, such as the logarithm of an
// exposure.

#include <span>

#include "accrete/core/matrix.hpp"
#include "accrete/model/model.hpp"

namespace accrete::model {

/// Changes predictions to what they would be with offsets[r] added to the score of row r: a sum, a product with
/// exp(offset) for a Poisson model, or a shifted logit for two classes. Throws UsageError for a model of several
/// outputs, or if the numbers of rows differ.
void add_offsets(const Model& model, std::span<const double> offsets, core::MatrixView<double> predictions);

/// Scores of the network with the offsets, in the target's units, added: what apply_link takes. No offsets: a copy.
core::Matrix<double> offset_scores(const Model& model, std::span<const double> offsets,
                                   core::MatrixView<const double> scores);

}  // namespace accrete::model
