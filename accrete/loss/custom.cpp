#include "accrete/loss/custom.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "accrete/core/error.hpp"
#include "accrete/core/format_message.hpp"
#include "accrete/core/row.hpp"

namespace accrete::loss {
namespace {

void check_finite(std::span<const double> values, const char* what, std::size_t per_row) {
  const auto bad = std::ranges::find_if_not(values, [](double x) { return std::isfinite(x); });
  if (bad != values.end())
    throw core::DataError(core::message("the loss function gives the {} {} for {}; it must be finite", what, *bad,
                                        core::row(static_cast<std::size_t>(bad - values.begin()) / per_row)));
}

}  // namespace

CustomLossValues::CustomLossValues(const CustomLoss& loss, core::MatrixView<const double> targets,
                                   std::span<const double> weights, std::size_t outputs)
    : loss_(loss),
      targets_(targets),
      weights_(weights),
      values_(targets.rows),
      derivatives_(targets.rows, outputs),
      curvatures_(targets.rows, outputs) {}

void CustomLossValues::evaluate(core::MatrixView<const double> scores) {
  loss_.evaluate({targets_, scores, values_, derivatives_, curvatures_});
  check_finite(values_, "value", 1);
  check_finite(derivatives_.flat(), "derivative", derivatives_.cols());
  check_finite(curvatures_.flat(), "curvature", curvatures_.cols());
}

bool CustomLossValues::try_evaluate(core::MatrixView<const double> scores) {
  loss_.evaluate({targets_, scores, values_, derivatives_, curvatures_});
  const auto is_finite = [](double x) { return std::isfinite(x); };
  return std::ranges::all_of(values_, is_finite) && std::ranges::all_of(derivatives_.flat(), is_finite) &&
         std::ranges::all_of(curvatures_.flat(), is_finite);
}

double CustomLossValues::mean(std::span<const std::size_t> rows) const {
  double sum = 0.0, weight = 0.0;
  const std::size_t count = rows.empty() ? values_.size() : rows.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t r = rows.empty() ? i : rows[i];
    sum += weights_[r] * values_[r];
    weight += weights_[r];
  }
  return sum / weight;
}

std::vector<double> custom_start(const CustomLoss& loss, core::MatrixView<const double> targets,
                                 std::span<const double> weights, std::size_t outputs,
                                 std::span<const double> offsets) {
  CustomLossValues at(loss, targets, weights, outputs);
  std::vector<double> start(outputs, 0.0);
  core::Matrix<double> scores(targets.rows, outputs);
  const auto set_scores = [&](std::span<const double> constant) {
    for (std::size_t r = 0; r < scores.rows(); ++r) std::ranges::copy(constant, scores.row(r).begin());
    for (std::size_t r = 0; r < offsets.size(); ++r) scores(r, 0) += offsets[r];
  };
  set_scores(start);
  at.evaluate(scores);
  double value = at.mean();
  constexpr int max_steps = 50;
  for (int step = 0; step < max_steps; ++step) {
    std::vector<double> move(outputs, 0.0);
    double size = 0.0;
    for (std::size_t k = 0; k < outputs; ++k) {
      double slope = 0.0, curvature = 0.0;
      for (std::size_t r = 0; r < scores.rows(); ++r) {
        slope += weights[r] * at.derivatives()(r, k);
        curvature += weights[r] * at.curvatures()(r, k);
      }
      if (curvature > 1e-30) move[k] = -slope / curvature;
      size = std::max(size, std::abs(move[k]) / (1.0 + std::abs(start[k])));
    }
    if (!(size > 1e-9)) break;
    // Halves the step until it lowers the loss, because a custom curvature may be arbitrary.
    double share = 1.0;
    std::vector<double> next(outputs);
    double after = value;
    for (int cut = 0; cut < 30; ++cut, share *= 0.5) {
      for (std::size_t k = 0; k < outputs; ++k) next[k] = start[k] + share * move[k];
      set_scores(next);
      after = at.try_evaluate(scores) ? at.mean() : std::numeric_limits<double>::infinity();
      if (after < value) break;
    }
    if (!(after < value)) break;
    start = next;
    value = after;
  }
  return start;
}

void check_derivatives(const CustomLoss& loss, core::MatrixView<const double> targets, std::size_t outputs,
                       double tolerance) {
  const std::size_t rows = targets.rows;
  const std::vector<double> ones(rows, 1.0);
  CustomLossValues at(loss, targets, ones, outputs);
  std::vector<double> below(rows), above(rows);
  core::Matrix<double> scores(rows, outputs), derivatives(rows, outputs), curvatures(rows, outputs);
  for (std::size_t k = 0; k < outputs; ++k)
    for (std::size_t r = 0; r < rows; ++r) {
      const double spread = std::abs(targets(r, std::min(k, targets.cols - 1))) + 1.0;
      scores(r, k) = spread * (std::fmod(0.618033988749895 * static_cast<double>(r * outputs + k + 1), 1.0) - 0.5);
    }
  at.evaluate(scores);
  double largest = 1e-12;
  for (const double d : at.derivatives().flat()) largest = std::max(largest, std::abs(d));
  for (std::size_t k = 0; k < outputs; ++k) {
    core::Matrix<double> moved = scores;
    const auto values_at = [&](double sign, std::vector<double>& values) {
      for (std::size_t r = 0; r < rows; ++r) moved(r, k) = scores(r, k) + sign * 1e-5 * (1.0 + std::abs(scores(r, k)));
      loss.evaluate({targets, moved, values, derivatives, curvatures});
    };
    values_at(-1.0, below);
    values_at(1.0, above);
    for (std::size_t r = 0; r < rows; ++r) {
      const double numeric = (above[r] - below[r]) / (2e-5 * (1.0 + std::abs(scores(r, k))));
      if (!(std::abs(numeric - at.derivatives()(r, k)) <= tolerance * largest))
        throw core::DataError(
            core::message("the loss function's derivative for {}, output {} is {}, but the slope of its value is {}",
                          core::row(r), k + 1, at.derivatives()(r, k), numeric));
    }
  }
}

}  // namespace accrete::loss
