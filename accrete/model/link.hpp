#pragma once
// The link from a network's scores to predictions; the inside of model::Model.

#include <cstddef>
#include <span>

#include "accrete/model/link_kernel.hpp"
#include "accrete/model/model.hpp"

namespace accrete::model {

/// Predictions per row: the sigmoid's one score speaks for two classes.
std::size_t predictions_per_row(const Model& model);

/// Throws UsageError unless the model's link can be applied to this many scores per row.
void check_link(const Model& model, std::size_t outputs);

/// Throws UsageError when the encoder's features are not as many as the network's.
void check_features(const Model& model);

/// Throws UsageError when the model has fewer steps.
void check_steps(const Model& model, std::size_t steps);

/// One row. The scores may lie at the beginning of the prediction's own places.
void link_row(const Model& model, std::span<const double> scores, std::span<double> prediction);

/// into.rows rows of a tile.
void link_tile(const Model& model, TileScores scores, core::MatrixView<double> into);

}  // namespace accrete::model
