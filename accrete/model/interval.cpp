#include "accrete/model/interval.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"

namespace accrete::model {

void require_calibration(const Model& model) {
  if (!(model.calibration.coverage > 0.0))
    throw core::UsageError(
        core::message("the model has no intervals; train it with {}", core::parameter("interval", 0.9)));
}

bool predicts_median(const Model& model) {
  const auto is_set = [](const auto& parameter) { return parameter.first == "interval" && parameter.second != "0"; };
  return !model.loss.quantiles().empty() && std::ranges::any_of(model.provenance.parameters, is_set);
}

core::Matrix<double> intervals_of(const Model& model, core::MatrixView<const double> predictions, std::size_t steps) {
  require_calibration(model);
  const double correction = model.calibration.corrections[steps];
  core::Matrix<double> result(predictions.rows, 2);
  for (std::size_t r = 0; r < predictions.rows; ++r) {
    const auto row = predictions.row(r);
    // A negative correction may swap the ends of a narrow interval, which then becomes a point.
    const double low = row.front() - correction, high = row.back() + correction;
    result(r, 0) = low <= high ? low : 0.5 * (low + high);
    result(r, 1) = low <= high ? high : 0.5 * (low + high);
  }
  return result;
}

core::Matrix<double> sets_of(const Model& model, core::MatrixView<const double> predictions, std::size_t steps) {
  require_calibration(model);
  const double threshold = model.calibration.corrections[steps];
  core::Matrix<double> result(predictions.rows, predictions.cols);
  for (std::size_t r = 0; r < predictions.rows; ++r) {
    for (std::size_t k = 0; k < predictions.cols; ++k) result(r, k) = 1.0 - predictions(r, k) <= threshold ? 1.0 : 0.0;
    result(r, best_class(predictions.row(r))) = 1.0;
  }
  return result;
}

IntervalQuality measure_intervals(const Model& model, core::MatrixView<const double> predictions, std::size_t steps,
                                  core::MatrixView<const double> targets, std::span<const double> weights) {
  const bool classes = !model.classes.empty();
  const auto found = classes ? sets_of(model, predictions, steps) : intervals_of(model, predictions, steps);
  double covered = 0.0, size = 0.0, total = 0.0;
  for (std::size_t r = 0; r < found.rows(); ++r) {
    const double weight = weights.empty() ? 1.0 : weights[r], y = targets(r, 0);
    const bool inside = classes ? found(r, static_cast<std::size_t>(y)) > 0.0 : y >= found(r, 0) && y <= found(r, 1);
    covered += weight * (inside ? 1.0 : 0.0);
    size += weight * (classes ? std::ranges::count(found.row(r), 1.0) : found(r, 1) - found(r, 0));
    total += weight;
  }
  return {covered / total, size / total};
}

std::string interval_note(const Model& model) {
  if (!(model.calibration.coverage > 0.0)) return "";
  const double correction = model.calibration.corrections[model.network.steps()];
  if (!model.classes.empty())
    return fmt::format(
        "no sets: a set of coverage {} has all classes of probability {:.6g} and above, and the most "
        "probable class",
        model.calibration.coverage, 1.0 - correction);
  return fmt::format(
      "no intervals: an interval of coverage {} is from the first to the last quantile, widened by {:.6g} on each "
      "side",
      model.calibration.coverage, correction);
}

}  // namespace accrete::model
