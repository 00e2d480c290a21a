#include "accrete/model/link.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "accrete/core/error.hpp"

namespace accrete::model {
namespace {

void softmax(std::span<const double> scores, std::span<double> prediction) {
  const double highest = *std::max_element(scores.begin(), scores.end());
  double sum = 0.0;
  for (std::size_t k = 0; k < scores.size(); ++k) sum += prediction[k] = std::exp(scores[k] - highest);
  for (double& p : prediction) p /= sum;
}

/// True for a monotone model: scores are rounded to float before an exponential, because neighbouring floats differ by
/// more than its error, so predictions keep the order of the scores.
bool rounds_scores(const Model& model) {
  return model.network.exact_activation() && model.loss.link() != loss::Link::identity;
}

double rounded(const Model& model, double score) {
  return rounds_scores(model) ? static_cast<double>(static_cast<float>(score)) : score;
}

}  // namespace

std::size_t predictions_per_row(const Model& model) {
  return model.loss.link() == loss::Link::sigmoid ? 2 : model.network.outputs();
}

void link_row(const Model& model, std::span<const double> scores, std::span<double> prediction) {
  switch (model.loss.link()) {
    case loss::Link::sigmoid: {
      // One exponential gives both probabilities without cancellation.
      const double score = rounded(model, scores[0]), e = std::exp(-std::abs(score));
      const double large = 1.0 / (1.0 + e), small = e * large;
      prediction[0] = score < 0.0 ? large : small;
      prediction[1] = score < 0.0 ? small : large;
      return;
    }
    case loss::Link::softmax:
      return softmax(scores, prediction);
    case loss::Link::exponential:
      for (std::size_t k = 0; k < scores.size(); ++k)
        prediction[k] = std::min(std::exp(rounded(model, scores[k])), std::numeric_limits<double>::max());
      return;
    case loss::Link::probability:
      for (std::size_t k = 0; k < scores.size(); ++k) {
        const double score = rounded(model, scores[k]), e = std::exp(-std::abs(score));
        prediction[k] = (score < 0.0 ? e : 1.0) / (1.0 + e);
      }
      return;
    case loss::Link::identity: {
      for (std::size_t k = 0; k < scores.size(); ++k) {
        const std::size_t target = model.target_of(k);
        prediction[k] = model.target_shift[target] + model.target_scale[target] * scores[k];
      }
      // Sorted quantiles never cross, and their pinball loss is no larger (Chernozhukov et al., 2010).
      if (!model.loss.quantiles().empty()) std::sort(prediction.begin(), prediction.end());
      return;
    }
  }
}

void check_link(const Model& model, std::size_t outputs) {
  const bool scales = model.loss.link() == loss::Link::identity && model.loss.quantiles().empty();
  if (outputs != model.network.outputs() || outputs == 0 ||
      (scales && (model.target_shift.size() != outputs || model.target_scale.size() != outputs)))
    throw core::UsageError(fmt::format("{} scores per row; the model has {} outputs, {} shifts and {} scales", outputs,
                                       model.network.outputs(), model.target_shift.size(), model.target_scale.size()));
}

void check_features(const Model& model) {
  if (model.encoder.features() != model.network.features())
    throw core::UsageError(fmt::format("the encoder makes {} features; the network reads {}", model.encoder.features(),
                                       model.network.features()));
}

void check_width(const Model& model, std::size_t numbers) {
  const auto& inputs = model.encoder.inputs();
  if (numbers != inputs.size() || !model.encoder.all_numeric())
    throw core::UsageError(fmt::format("rows have {} numbers; the model has {} inputs, {}", numbers, inputs.size(),
                                       model.encoder.all_numeric() ? "all numeric" : "some of them text"));
}

const network::PredictTables* tables_of(const Model& model) {
  const bool dense = model.method != Method::boosting || model.network.features() != model.encoder.features();
  return dense ? nullptr : model.tables.get(model.encoder, model.network);
}

void check_steps(const Model& model, std::size_t steps) {
  if (steps > model.network.steps())
    throw core::UsageError(fmt::format("{} steps requested; the model has {}", steps, model.network.steps()));
}

void link_tile(const Model& model, TileScores scores, core::MatrixView<double> into) {
  switch (model.loss.link()) {
    case loss::Link::sigmoid:
      for (std::size_t r = 0; r < into.rows && rounds_scores(model); ++r)
        scores.values[r] = rounded(model, scores.values[r]);
      return sigmoid_tile(scores, into);
    case loss::Link::softmax:
      return softmax_tile(scores, into);
    case loss::Link::exponential:
    case loss::Link::probability:
    case loss::Link::identity:
      for (std::size_t r = 0; r < into.rows; ++r) {
        for (std::size_t k = 0; k < into.cols; ++k) into(r, k) = scores.values[k * scores.stride + r];
        link_row(model, into.row(r), into.row(r));
      }
      return;
  }
}

}  // namespace accrete::model
