#include "accrete/model/plain.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "accrete/core/denormals.hpp"
#include "accrete/core/error.hpp"

namespace accrete::model {

void require_dial(const Model& model) {
  if (model.method == Method::network)
    throw core::UsageError("this is a plain network; its units were trained together, so none can be switched off");
  if (model.method == Method::adaboost)
    throw core::UsageError(
        "this is an AdaBoost of plain networks; their votes were weighed together, so no units can be switched off");
}

void require_grown(const Model& model, std::string_view what) {
  if (model.method == Method::boosting) return;
  throw core::UsageError(fmt::format("{}: this model was made by the method '{}'; only a grown network will do", what,
                                     method_name(model.method)));
}

std::size_t class_of_scores(const float* scores, std::size_t outputs, std::size_t stride) {
  if (outputs == 1) return scores[0] > 0.0f ? 1 : 0;
  std::size_t best = 0;
  for (std::size_t k = 1; k < outputs; ++k)
    if (scores[k * stride] > scores[best * stride]) best = k;
  return best;
}

PlainScores::PlainScores(const Model& model, std::size_t tile_rows)
    : model_(model), scratch_(model.members.front().network.shape.widest(), tile_rows) {
  for (const Member& member : model.members) total_ += member.weight;
  if (model.method != Method::adaboost || model.loss.classes()) return;
  answers_.resize(model.members.size() * tile_rows);
  sorted_.resize(model.members.size());
}

void PlainScores::operator()(const float* tile, std::size_t rows, double* scores) {
  const core::FlushDenormals fast;
  if (model_.method == Method::adaboost)
    return model_.loss.classes() ? vote(tile, rows, scores) : take_median(tile, rows, scores);
  const std::size_t t = scratch_.tile_rows;
  const float* out = network::forward_tile(model_.members.front().network, tile, rows, scratch_);
  for (std::size_t k = 0; k < model_.network.outputs(); ++k) std::copy_n(out + k * t, rows, scores + k * t);
}

/// SAMME's decision function on the scale of scikit-learn's probabilities: a member gives its weight to the class it
/// takes, and the negative of a (K-1)-th of it to each other class. With two classes one score speaks for both.
void PlainScores::vote(const float* tile, std::size_t rows, double* scores) {
  const std::size_t t = scratch_.tile_rows, outputs = model_.network.outputs(), classes = model_.classes.size();
  const double others = static_cast<double>(classes - 1), scale = 1.0 / (total_ * others);
  for (std::size_t k = 0; k < outputs; ++k) std::fill_n(scores + k * t, rows, 0.0);
  for (const Member& member : model_.members) {
    const float* out = network::forward_tile(member.network, tile, rows, scratch_);
    const double won = member.weight * scale, lost = -won / others;
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t taken = class_of_scores(out + r, outputs, t);
      if (outputs == 1)
        scores[r] += taken == 1 ? won - lost : lost - won;
      else
        for (std::size_t k = 0; k < outputs; ++k) scores[k * t + r] += k == taken ? won : lost;
    }
  }
}

void PlainScores::take_median(const float* tile, std::size_t rows, double* scores) {
  const std::size_t t = scratch_.tile_rows;
  for (std::size_t m = 0; m < model_.members.size(); ++m)
    std::copy_n(network::forward_tile(model_.members[m].network, tile, rows, scratch_), rows, answers_.data() + m * t);
  for (std::size_t r = 0; r < rows; ++r) scores[r] = median(r);
}

/// The least answer that, with all below it, has half the weight.
double PlainScores::median(std::size_t row) {
  for (std::size_t m = 0; m < sorted_.size(); ++m)
    sorted_[m] = {answers_[m * scratch_.tile_rows + row], static_cast<std::uint32_t>(m)};
  std::ranges::sort(sorted_, {}, [](const Answer& a) { return std::pair(a.value, a.member); });
  double below = 0.0;
  for (const Answer& answer : sorted_) {
    below += model_.members[answer.member].weight;
    if (below >= 0.5 * total_) return answer.value;
  }
  return sorted_.back().value;
}

}  // namespace accrete::model
