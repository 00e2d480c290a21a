#include "accrete/model/predict_exit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "accrete/core/aligned.hpp"
#include "accrete/core/error.hpp"
#include "accrete/model/exit_cascade.hpp"
#include "accrete/model/link.hpp"
#include "accrete/model/plain.hpp"

namespace accrete::model {
namespace {

/// Decides which rows stop and writes their predictions. Thread-safe, because threads write different rows.
class ExitWriter {
 public:
  ExitWriter(const Model& model, ExitPredictions& result) : model_(model), result_(result) {}

  void operator()(const ExitTile& tile) const {
    if (model_.classes.empty())
      stop_by_movement(tile);
    else
      stop_by_margin(tile);
  }

 private:
  bool is_last(const ExitTile& tile) const { return tile.stage == model_.early_exit.exits.size(); }

  std::size_t units_at(const ExitTile& tile) const {
    const std::size_t steps = is_last(tile) ? model_.network.steps() : model_.early_exit.exits[tile.stage].steps;
    return model_.network.units_after(steps);
  }

  /// margin() of all rows of the tile, computed score by score, which the compiler vectorises.
  std::vector<double> margins(const ExitTile& tile) const {
    const std::size_t outputs = model_.network.outputs(), rows = tile.rows.size();
    std::vector<double> first(tile.scores, tile.scores + rows);
    if (outputs == 1) {
      for (double& score : first) score = std::abs(score);
      return first;
    }
    std::vector<double> second(rows, -std::numeric_limits<double>::infinity());
    for (std::size_t k = 1; k < outputs; ++k) {
      const double* scores = tile.scores + k * tile.stride;
      for (std::size_t r = 0; r < rows; ++r) {
        second[r] = std::max(second[r], std::min(first[r], scores[r]));
        first[r] = std::max(first[r], scores[r]);
      }
    }
    for (std::size_t r = 0; r < rows; ++r) first[r] -= second[r];
    return first;
  }

  /// Predictions of the listed rows of a tile, bit-identical to those of predict.
  core::Matrix<double> link(const ExitTile& tile, std::span<const std::size_t> rows) const {
    const std::size_t outputs = model_.network.outputs();
    core::AlignedVector<double> scores(outputs * tile.stride);
    for (std::size_t k = 0; k < outputs; ++k)
      for (std::size_t i = 0; i < rows.size(); ++i)
        scores[k * tile.stride + i] = tile.scores[k * tile.stride + rows[i]];
    core::Matrix<double> predictions(rows.size(), result_.values.cols());
    link_tile(model_, {scores.data(), tile.stride}, predictions);
    return predictions;
  }

  /// Classes: rows with a large margin stop, and the link is computed only for them.
  void stop_by_margin(const ExitTile& tile) const {
    std::vector<std::size_t> ended;
    ended.reserve(tile.rows.size());
    const double threshold = is_last(tile) ? 0.0 : model_.early_exit.exits[tile.stage].threshold;
    const std::size_t units = units_at(tile);
    const auto margin = is_last(tile) ? std::vector<double>() : margins(tile);
    for (std::size_t r = 0; r < tile.rows.size(); ++r) {
      if (!margin.empty() && !(margin[r] >= threshold)) continue;
      tile.stops[r] = 1;
      result_.units[tile.rows[r]] = units;
      ended.push_back(r);
    }
    if (ended.empty()) return;
    const auto predictions = link(tile, ended);
    for (std::size_t i = 0; i < ended.size(); ++i)
      std::ranges::copy(predictions.row(i), result_.values.row(tile.rows[ended[i]]).begin());
  }

  /// Regression: rows whose predictions have hardly moved since the previous exit stop. The result holds each row's
  /// predictions at its last exit.
  void stop_by_movement(const ExitTile& tile) const {
    std::vector<std::size_t> all(tile.rows.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const auto predictions = link(tile, all);
    const std::size_t units = units_at(tile);
    for (std::size_t r = 0; r < tile.rows.size(); ++r) {
      const std::span<double> prediction = result_.values.row(tile.rows[r]);
      if (tile.stage > 0 && !is_last(tile))
        tile.stops[r] = movement(prediction, predictions.row(r), model_.early_exit.tolerances) <=
                                model_.early_exit.exits[tile.stage].threshold
                            ? 1
                            : 0;
      std::ranges::copy(predictions.row(r), prediction.begin());
      result_.units[tile.rows[r]] = units;
    }
  }

  const Model& model_;
  ExitPredictions& result_;
};

template <class Rows>
ExitPredictions predict_rows(const Model& model, const Rows& rows, std::size_t count, core::Workers& workers) {
  require_early_exit(model);
  std::vector<std::size_t> steps;
  for (const Exit& exit : model.early_exit.exits) steps.push_back(exit.steps);
  ExitPredictions result{core::Matrix<double>(count, predictions_per_row(model)), std::vector<std::size_t>(count)};
  const ExitWriter write(model, result);
  run_exits(model, rows, steps, workers, [&](const ExitTile& tile) { write(tile); });
  return result;
}

}  // namespace

void require_early_exit(const Model& model) {
  require_dial(model);
  if (!(model.early_exit.disagreement > 0.0))
    throw core::UsageError("the model has no early exit: run dial on it first");
}

double ExitPredictions::mean_units() const {
  double sum = 0.0;
  for (const std::size_t count : units) sum += static_cast<double>(count);
  return units.empty() ? 0.0 : sum / static_cast<double>(units.size());
}

ExitPredictions predict_exit(const Model& model, const data::Table& table, core::Workers& workers) {
  return predict_rows(model, table, table.rows(), workers);
}

ExitPredictions predict_exit(const Model& model, core::MatrixView<const float> raw, core::Workers& workers) {
  return predict_rows(model, raw, raw.rows, workers);
}

std::string exit_note(const Model& model) {
  return model.early_exit.disagreement > 0.0 ? "no early exit: every row uses all units" : "";
}

}  // namespace accrete::model
