#include "accrete/model/model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "accrete/core/error.hpp"
#include "accrete/core/math.hpp"
#include "accrete/network/forward.hpp"

namespace accrete::model {
namespace {

/// Predictions per row: the sigmoid's one score speaks for two classes.
std::size_t predictions(const Model& model) {
  return model.loss.link() == loss::Link::sigmoid ? 2 : model.network.outputs();
}

void softmax(std::span<const double> scores, std::span<double> prediction) {
  const double highest = *std::max_element(scores.begin(), scores.end());
  double sum = 0.0;
  for (std::size_t k = 0; k < scores.size(); ++k) sum += prediction[k] = std::exp(scores[k] - highest);
  for (double& p : prediction) p /= sum;
}

/// One row. The scores may lie at the beginning of the prediction's own places.
void link_row(const Model& model, std::span<const double> scores, std::span<double> prediction) {
  switch (model.loss.link()) {
    case loss::Link::sigmoid: {
      const double score = scores[0];
      prediction[0] = core::sigmoid(-score);
      prediction[1] = core::sigmoid(score);
      return;
    }
    case loss::Link::softmax:
      return softmax(scores, prediction);
    case loss::Link::exponential:
      for (std::size_t k = 0; k < scores.size(); ++k)
        prediction[k] = std::min(std::exp(scores[k]), std::numeric_limits<double>::max());
      return;
    case loss::Link::identity:
      for (std::size_t k = 0; k < scores.size(); ++k)
        prediction[k] = model.target_shift[k] + model.target_scale[k] * scores[k];
      return;
  }
}

void check_link(const Model& model, std::size_t outputs) {
  const bool scales = model.loss.link() == loss::Link::identity;
  if (outputs != model.network.outputs() || outputs == 0 ||
      (scales && (model.target_shift.size() != outputs || model.target_scale.size() != outputs)))
    throw core::UsageError(fmt::format("{} scores per row; the model has {} outputs, {} shifts and {} scales", outputs,
                                       model.network.outputs(), model.target_shift.size(), model.target_scale.size()));
}

void check_steps(const Model& model, std::size_t steps) {
  if (steps > model.network.steps())
    throw core::UsageError(fmt::format("{} steps were asked for; the model has {}", steps, model.network.steps()));
}

/// The parameter "units" where the network is less than a step short of it, else 0.
std::size_t units_asked_for(const Model& model) {
  const std::size_t units = model.network.units(), steps = model.network.steps();
  if (steps == 0) return 0;
  const std::size_t last_step = units - model.network.units_after(steps - 1);
  for (const auto& [name, value] : model.provenance.parameters) {
    const auto asked = name == "units" ? data::parse_number(value) : std::nullopt;
    if (asked && *asked > 0.0 && *asked < static_cast<double>(units + last_step))
      return static_cast<std::size_t>(*asked);
  }
  return 0;
}

void link_rows(const Model& model, core::MatrixView<const double> scores, core::MatrixView<double> into) {
  for (std::size_t r = 0; r < scores.rows; ++r) link_row(model, scores.row(r), into.row(r));
}

}  // namespace

std::size_t Model::steps_for(std::size_t units) const {
  if (units == 0) return network.steps();
  const auto asked = [&] {
    return units == 1 ? std::string("1 unit was asked for") : fmt::format("{} units were asked for", units);
  };
  if (units > network.units() && units <= units_asked_for(*this)) return network.steps();
  if (units > network.units()) throw core::UsageError(fmt::format("{}; the model has {}", asked(), network.units()));
  const std::size_t steps = network.steps_within(units);
  if (steps == 0)
    throw core::UsageError(fmt::format("{}; the model's first step already has {}", asked(), network.units_after(1)));
  return steps;
}

core::Matrix<double> apply_link(const Model& model, core::MatrixView<const double> scores) {
  check_link(model, scores.cols);
  core::Matrix<double> result(scores.rows, predictions(model));
  link_rows(model, scores, result);
  return result;
}

core::Matrix<double> predict(const Model& model, const data::Table& table, std::size_t steps, core::Workers& workers) {
  check_steps(model, steps);
  const core::TiledMatrix features = model.encoder.encode(table);
  return apply_link(model, network::forward(model.network, features, steps, workers));
}

void predict_row(const Model& model, std::span<const float> raw, std::size_t steps, std::span<float> workspace,
                 std::span<double> prediction) {
  check_steps(model, steps);
  check_link(model, model.network.outputs());
  if (raw.size() != model.encoder.inputs().size() || workspace.size() < workspace_size(model) ||
      prediction.size() != predictions(model))
    throw core::UsageError(
        fmt::format("a row of {} inputs, {} predictions and a workspace of {}; the model has {}, {} "
                    "and needs {}",
                    raw.size(), prediction.size(), workspace.size(), model.encoder.inputs().size(), predictions(model),
                    workspace_size(model)));
  const std::span<float> features = workspace.first(model.encoder.features());
  const std::span<double> scores = prediction.first(model.network.outputs());
  model.encoder.encode_row(raw, features);
  network::forward_row(model.network, features, steps, scores);
  link_row(model, scores, prediction);
}

std::size_t workspace_size(const Model& model) {
  return model.encoder.features();
}

void predict_staged(const Model& model, const data::Table& table, core::Workers& workers,
                    const std::function<void(std::size_t, core::MatrixView<const double>)>& see) {
  check_link(model, model.network.outputs());
  const core::TiledMatrix features = model.encoder.encode(table);
  core::Matrix<double> linked(features.rows(), predictions(model));
  network::forward_staged(model.network, features, workers,
                          [&](std::size_t steps, core::MatrixView<const double> scores) {
                            link_rows(model, scores, linked);
                            see(steps, linked);
                          });
}

std::size_t best_class(std::span<const double> probabilities) {
  return static_cast<std::size_t>(std::max_element(probabilities.begin(), probabilities.end()) - probabilities.begin());
}

}  // namespace accrete::model
