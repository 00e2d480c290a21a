#include "accrete/boosting/validation_metric.hpp"

#include <cmath>
#include <memory>
#include <vector>

#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/metric/list.hpp"

namespace accrete::boosting {
namespace {

/// Targets in the form metrics expect: classes, or values in the target's units.
core::Matrix<double> targets_of(const model::Model& model, const data::Dataset& validation) {
  const auto& scaled = validation.targets;
  core::Matrix<double> targets(validation.rows(), scaled.cols());
  for (std::size_t r = 0; r < targets.rows(); ++r)
    for (std::size_t k = 0; k < targets.cols(); ++k)
      targets(r, k) =
          model.classes.empty() ? model.target_shift[k] + model.target_scale[k] * scaled(r, k) : scaled(r, k);
  return targets;
}

/// A function that computes the metric from scores.
auto value_of(metric::Metric metric, const model::Model& model, const data::Dataset& validation) {
  auto targets = std::make_shared<const core::Matrix<double>>(targets_of(model, validation));
  return [&model, metric, targets, all = std::vector<double>(validation.weights.begin(), validation.weights.end())](
             core::MatrixView<const double> scores) {
    const core::Matrix<double> predictions = model::apply_link(model, scores);
    return metric.value({predictions, *targets, all, model.point()});
  };
}

double sign_of(metric::Metric metric) {
  return metric.higher_is_better() ? -1.0 : 1.0;
}

ValidationMetric custom_metric(const PreparedFit& fit, const CustomMetric& metric) {
  auto targets = std::make_shared<const core::Matrix<double>>(targets_of(fit.model, *fit.validation));
  return [&fit, &metric, targets](core::MatrixView<const double> scores) {
    const core::Matrix<double> predictions = model::apply_link(fit.model, scores);
    const double value = metric(predictions, *targets, fit.validation->weights);
    if (!std::isfinite(value))
      throw core::DataError(core::message("the metric must be a finite number, but is {} on the {} validation rows",
                                          value, targets->rows()));
    return value;
  };
}

}  // namespace

ValidationMetric validation_metric(const PreparedFit& fit, const FitOptions& options) {
  if (!fit.validation || (fit.config.metric == "loss" && !options.custom_metric)) return {};
  if (options.custom_metric) return custom_metric(fit, options.custom_metric);
  const auto metric = metric::Metric::named(fit.config.metric);
  return [&fit, metric,
          value_of = value_of(metric, fit.model, *fit.validation)](core::MatrixView<const double> scores) {
    const double value = value_of(scores);
    if (std::isnan(value))
      throw core::DataError(core::message("{} is undefined on the {} validation rows; use more rows or another metric",
                                          core::parameter("metric", metric.name()), fit.validation->rows()));
    return sign_of(metric) * value;
  };
}

ValidationMetric held_out_metric(const model::Model& model, const data::Dataset& held_out,
                                 const config::ResolvedConfig& config) {
  if (config.metric == "loss") return {};
  const auto metric = metric::Metric::named(config.metric);
  return [metric, value_of = value_of(metric, model, held_out)](core::MatrixView<const double> scores) {
    const double value = value_of(scores);
    return metric.higher_is_better() ? 1.0 - value : value;
  };
}

double metric_value(const PreparedFit& fit, const FitOptions& options, double cost) {
  if (options.custom_metric) return cost;
  return sign_of(metric::Metric::named(fit.config.metric)) * cost;
}

}  // namespace accrete::boosting
