#pragma once
// What a method's predictions of test rows are worth, by every metric of the task.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "accrete/core/matrix.hpp"
#include "accrete/metric/list.hpp"
#include "accrete/tune/problem.hpp"

namespace accrete::tune {

using Scores = std::vector<std::pair<std::string, double>>;

/// A score that is not finite is NaN.
Scores scores_of(const Problem& problem, std::span<const std::size_t> rows, core::MatrixView<const double> predictions);

/// Those of a fit that diverged: NaN by every metric.
Scores no_scores(data::Task task);

/// The metric of that name, or the primary one of the task where there is none. Throws UsageError for one of another
/// task.
metric::Metric ranking_metric(const std::string& name, data::Task task);

/// Whether it holds rows of one class against rows of another, and has no value where there is but one.
bool needs_every_class(metric::Metric metric);

}  // namespace accrete::tune
