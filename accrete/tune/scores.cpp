#include "accrete/tune/scores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "accrete/boosting/read.hpp"
#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"

namespace accrete::tune {

Scores scores_of(const Problem& problem, std::span<const std::size_t> rows, core::MatrixView<const double> predictions,
                 const metric::PointPrediction& point) {
  core::Matrix<double> targets(rows.size(), problem.target.values.cols());
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::ranges::copy(problem.target.values.row(rows[i]), targets.row(i).begin());
  Scores scores = metric::all_for(problem.target.task, {predictions, targets, {}, point});
  for (auto& [name, value] : scores)
    if (!std::isfinite(value)) value = std::numeric_limits<double>::quiet_NaN();
  return scores;
}

std::vector<double> offsets_of(const model::Model& model, const data::Table& table, std::span<const std::size_t> rows) {
  const std::vector<double> all = boosting::read_offsets_of(model, table);
  std::vector<double> offsets;
  for (const std::size_t r : rows)
    if (!all.empty()) offsets.push_back(all[r]);
  return offsets;
}

Scores no_scores(data::Task task) {
  Scores none;
  for (std::size_t i = 0; i < metric::All::size; ++i)
    if (const metric::Metric metric{i}; metric.fits(task))
      none.emplace_back(metric.name(), std::numeric_limits<double>::quiet_NaN());
  return none;
}

metric::Metric ranking_metric(const std::string& name, data::Task task) {
  const auto metric = metric::Metric::named(name.empty() ? metric::primary(task) : name);
  if (!metric.fits(task))
    throw core::UsageError(core::message("{} is not for a {} task; allowed: {}", core::parameter("metric", name),
                                         data::task_name(task), metric::names_for(task)));
  return metric;
}

bool needs_every_class(metric::Metric metric) {
  return metric.index == metric::Metric::named(metric::Auc::name).index;
}

}  // namespace accrete::tune
