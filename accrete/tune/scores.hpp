#pragma once
// Scores of predicted test rows, for every metric of the task.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "accrete/core/matrix.hpp"
#include "accrete/metric/list.hpp"
#include "accrete/model/model.hpp"
#include "accrete/tune/problem.hpp"

namespace accrete::tune {

using Scores = std::vector<std::pair<std::string, double>>;

/// A score that is not finite becomes NaN. point: column and quantile of the point prediction.
Scores scores_of(const Problem& problem, std::span<const std::size_t> rows, core::MatrixView<const double> predictions,
                 const metric::PointPrediction& point);

/// The offsets of the listed rows if the model was fitted with offsets; otherwise empty.
std::vector<double> offsets_of(const model::Model& model, const data::Table& table, std::span<const std::size_t> rows);

/// The scores of a fit that diverged: NaN for every metric.
Scores no_scores(data::Task task);

/// The named metric, or the task's primary metric if the name is empty. Throws UsageError for a metric that does not
/// fit the task.
metric::Metric ranking_metric(const std::string& name, data::Task task);

/// True if the metric is undefined for test rows of only one class.
bool needs_every_class(metric::Metric metric);

}  // namespace accrete::tune
