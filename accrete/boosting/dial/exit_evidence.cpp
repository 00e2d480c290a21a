#include "accrete/boosting/dial/exit_evidence.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "accrete/model/exit_cascade.hpp"
#include "accrete/network/kernels/predict_kernel.hpp"

namespace accrete::boosting {
namespace {

constexpr double default_tolerance = 0.1;  ///< in standard deviations of the predictions

/// Standard deviation per column; 1 for a constant column, whose predictions never move.
std::vector<double> deviations(core::MatrixView<const double> values, std::span<const std::size_t> rows) {
  std::vector<double> result;
  const auto n = static_cast<double>(rows.size());
  for (std::size_t k = 0; k < values.cols; ++k) {
    double mean = 0.0, squares = 0.0;
    for (const std::size_t r : rows) mean += values(r, k) / n;
    for (const std::size_t r : rows) squares += (values(r, k) - mean) * (values(r, k) - mean) / n;
    result.push_back(squares > 0.0 ? std::sqrt(squares) : 1.0);
  }
  return result;
}

ExitEvidence make_evidence(std::size_t exits, std::size_t rows) {
  return {core::Matrix<double>(exits, rows),
          core::Matrix<double>(exits, rows),
          core::Matrix<std::uint8_t>(exits, rows),
          {}};
}

ExitEvidence collect_classes(const model::Model& model, const data::Table& table, std::span<const std::size_t> exits,
                             core::Workers& workers) {
  ExitEvidence evidence = make_evidence(exits.size(), table.rows());
  core::Matrix<std::uint32_t> labels(exits.size(), table.rows());
  model::run_exits(model, table, exits, workers, [&](const model::ExitTile& tile) {
    std::vector<double> scores(model.network.outputs());
    for (std::size_t i = 0; i < tile.rows.size(); ++i) {
      const std::size_t row = tile.rows[i];
      tile.copy_scores(i, scores);
      const std::size_t label = model::class_of(scores);
      if (tile.stage < exits.size()) {
        labels(tile.stage, row) = static_cast<std::uint32_t>(label);
        evidence.exit_signal(tile.stage, row) = model::margin(scores);
        continue;
      }
      for (std::size_t e = 0; e < exits.size(); ++e) {
        evidence.differs(e, row) = labels(e, row) != label ? 1 : 0;
        evidence.change(e, row) = evidence.exit_signal(e, row) - model::margin_of(labels(e, row), scores);
      }
    }
  });
  return evidence;
}

ExitEvidence collect_values(const model::Model& model, const data::Table& table, std::span<const std::size_t> exits,
                            std::span<const std::size_t> scale_rows, double tolerance, core::Workers& workers) {
  const std::size_t rows = table.rows();
  ExitEvidence evidence = make_evidence(exits.size(), rows);
  std::vector<core::Matrix<double>> scores(exits.size() + 1, core::Matrix<double>(rows, model.network.outputs()));
  model::run_exits(model, table, exits, workers, [&](const model::ExitTile& tile) {
    for (std::size_t i = 0; i < tile.rows.size(); ++i) tile.copy_scores(i, scores[tile.stage].row(tile.rows[i]));
  });
  std::vector<core::Matrix<double>> predictions;
  predictions.reserve(scores.size());
  for (const auto& prefix : scores) predictions.push_back(model::apply_link(model, prefix));
  evidence.tolerances = deviations(predictions.back(), scale_rows);
  for (double& value : evidence.tolerances) value = tolerance > 0.0 ? tolerance : default_tolerance * value;
  for (std::size_t e = 0; e < exits.size(); ++e)
    for (std::size_t r = 0; r < rows; ++r) {
      const auto now = predictions[e].row(r);
      // The first exit has no previous one; later exits compare with it.
      if (e > 0) evidence.exit_signal(e, r) = model::movement(predictions[e - 1].row(r), now, evidence.tolerances);
      evidence.change(e, r) = model::movement(now, predictions.back().row(r), evidence.tolerances);
      evidence.differs(e, r) = evidence.change(e, r) > 1.0 ? 1 : 0;
    }
  return evidence;
}

/// The steps nearest to these shares of the units.
std::vector<std::size_t> nearest_steps(const network::Network& network, std::initializer_list<double> shares) {
  // Units are computed in groups, so an exit inside a group would waste the rest of it.
  std::vector<std::size_t> aligned, all;
  for (std::size_t steps = 1; steps < network.steps(); ++steps) {
    all.push_back(steps);
    if (network.units_after(steps) % network::group_units == 0) aligned.push_back(steps);
  }
  const auto& allowed = aligned.empty() ? all : aligned;
  std::vector<std::size_t> exits;
  for (const double share : shares) {
    const double units = share * static_cast<double>(network.units());
    const auto nearest = std::ranges::min_element(allowed, {}, [&](std::size_t steps) {
      return std::abs(static_cast<double>(network.units_after(steps)) - units);
    });
    if (nearest != allowed.end() && (exits.empty() || exits.back() < *nearest)) exits.push_back(*nearest);
  }
  return exits;
}

}  // namespace

std::vector<std::size_t> regression_exits(const network::Network& network) {
  return nearest_steps(network, {1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 2, 3.0 / 4});
}

std::vector<std::size_t> exit_grid(const network::Network& network) {
  return nearest_steps(network, {1.0 / 64, 1.0 / 32, 3.0 / 64, 1.0 / 16, 3.0 / 32, 1.0 / 8, 3.0 / 16, 1.0 / 4, 5.0 / 16,
                                 3.0 / 8, 7.0 / 16, 1.0 / 2, 9.0 / 16, 5.0 / 8, 11.0 / 16, 3.0 / 4, 7.0 / 8});
}

ExitEvidence collect_evidence(const model::Model& model, const data::Table& table, std::span<const std::size_t> exits,
                              std::span<const std::size_t> scale_rows, double tolerance, core::Workers& workers) {
  if (!model.classes.empty()) return collect_classes(model, table, exits, workers);
  return collect_values(model, table, exits, scale_rows, tolerance, workers);
}

ExitEvidence take_exits(const ExitEvidence& all, std::span<const std::size_t> exits) {
  ExitEvidence taken = make_evidence(exits.size(), all.exit_signal.cols());
  for (std::size_t e = 0; e < exits.size(); ++e) {
    std::ranges::copy(all.exit_signal.row(exits[e]), taken.exit_signal.row(e).begin());
    std::ranges::copy(all.change.row(exits[e]), taken.change.row(e).begin());
    std::ranges::copy(all.differs.row(exits[e]), taken.differs.row(e).begin());
  }
  taken.tolerances = all.tolerances;
  return taken;
}

}  // namespace accrete::boosting
