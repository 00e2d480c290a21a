#include "accrete/model/plain.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "accrete/core/denormals.hpp"
#include "accrete/core/error.hpp"

namespace accrete::model {

void require_dial(const Model& model) {
  if (model.method == Method::network)
    throw core::UsageError("the model is a plain network, which has no dial: predictions use all units");
  if (model.method == Method::adaboost)
    throw core::UsageError(
        "the model is an AdaBoost of plain networks, which has no dial: predictions use all networks");
}

void require_grown(const Model& model, std::string_view what) {
  if (model.method == Method::boosting) return;
  throw core::UsageError(
      fmt::format("{}: needs a model of the method 'boosting'; this one is of '{}'", what, method_name(model.method)));
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
  member_scores_.resize(model.members.size() * tile_rows);
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

/// SAMME's decision function on the scale of scikit-learn's probabilities: a member adds its weight to the class it
/// predicts and subtracts weight / (K - 1) from the others. Two classes share a single score.
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
    std::copy_n(network::forward_tile(model_.members[m].network, tile, rows, scratch_), rows,
                member_scores_.data() + m * t);
  for (std::size_t r = 0; r < rows; ++r) scores[r] = median(r);
}

/// The weighted median: the lowest score at which the cumulative weight reaches half of the total.
double PlainScores::median(std::size_t row) {
  for (std::size_t m = 0; m < sorted_.size(); ++m)
    sorted_[m] = {member_scores_[m * scratch_.tile_rows + row], static_cast<std::uint32_t>(m)};
  std::ranges::sort(sorted_, {}, [](const MemberScore& s) { return std::pair(s.value, s.member); });
  double below = 0.0;
  for (const MemberScore& score : sorted_) {
    below += model_.members[score.member].weight;
    if (below >= 0.5 * total_) return score.value;
  }
  return sorted_.back().value;
}

}  // namespace accrete::model
