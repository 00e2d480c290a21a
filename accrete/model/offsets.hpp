#pragma once
// Offsets at prediction: known parts of the score that the network does not model, such as the logarithm of an
// exposure.

#include <span>

#include "accrete/core/matrix.hpp"
#include "accrete/model/model.hpp"

namespace accrete::model {

/// Changes predictions as if offsets[r] were added to the score of row r: a sum, a factor exp(offset) for a Poisson
/// model, or a shifted logit for two classes. Throws UsageError for a model with several outputs, or if the numbers of
/// rows differ.
void add_offsets(const Model& model, std::span<const double> offsets, core::MatrixView<double> predictions);

/// Network scores plus offsets (in the target's units), as input for apply_link. Without offsets, a copy of the scores.
core::Matrix<double> offset_scores(const Model& model, std::span<const double> offsets,
                                   core::MatrixView<const double> scores);

}  // namespace accrete::model
