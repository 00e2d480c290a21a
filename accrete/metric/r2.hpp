#pragma once
#include "accrete/metric/labelled_predictions.hpp"

namespace accrete::metric {

/// 1 - squared error / variance of the targets, averaged over outputs. A constant target scores 1 if predicted exactly,
/// otherwise 0.
struct R2 {
  static constexpr const char* name = "r2";
  static constexpr const char* summary = "share of the variance that is explained; 1 is perfect, 0 is the mean";
  static constexpr bool classes = false;
  static constexpr bool higher_is_better = true;
  static constexpr bool is_share = false;

  static double value(const LabelledPredictions& c) {
    double sum = 0.0;
    for (std::size_t k = 0; k < c.targets.cols; ++k) sum += of_output(c, k);
    return sum / static_cast<double>(c.targets.cols);
  }

 private:
  static double of_output(const LabelledPredictions& c, std::size_t k) {
    const auto squared = [](double e) { return e * e; };
    // Exact comparison: around its rounded mean a constant target would have a small variance.
    bool constant = true;
    for (std::size_t r = 1; r < c.rows(); ++r) constant = constant && c.targets(r, k) == c.targets(0, k);
    const double mean = mean_over_rows(c, [&](std::size_t r) { return c.targets(r, k); });
    const double variance = mean_over_rows(c, [&](std::size_t r) { return squared(c.targets(r, k) - mean); });
    const double error = mean_over_rows(
        c, [&](std::size_t r) { return squared(c.targets(r, k) - c.predictions(r, c.point.column + k)); });
    if (constant || variance == 0.0) return error == 0.0 ? 1.0 : 0.0;
    return 1.0 - error / variance;
  }
};

}  // namespace accrete::metric
