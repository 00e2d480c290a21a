#pragma once
// The link from scores to predictions. Internal to model/ and explain/.

#include <cstddef>
#include <span>

#include "accrete/model/link_kernel.hpp"
#include "accrete/model/model.hpp"

namespace accrete::model {

/// Predictions per row: the number of outputs, or 2 for the sigmoid link, whose single score predicts both classes.
std::size_t predictions_per_row(const Model& model);

/// Throws UsageError if the model's link does not apply to this many scores per row.
void check_link(const Model& model, std::size_t outputs);

/// Throws UsageError if encoder and network have different numbers of features.
void check_features(const Model& model);

/// Throws UsageError unless all inputs of the model are numeric and a row of this many numbers has one for each.
void check_width(const Model& model, std::size_t numbers);

/// Throws UsageError if the model has fewer than `steps` steps.
void check_steps(const Model& model, std::size_t steps);

/// The lookup tables for prediction; null for a plain model, or if the dense weights are faster.
const network::PredictTables* tables_of(const Model& model);

/// Applies the link to one row. scores may alias the start of prediction.
void link_row(const Model& model, std::span<const double> scores, std::span<double> prediction);

/// Applies the link to the first into.rows rows of a tile.
void link_tile(const Model& model, TileScores scores, core::MatrixView<double> into);

}  // namespace accrete::model
