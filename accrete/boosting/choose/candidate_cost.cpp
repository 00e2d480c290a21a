#include "accrete/boosting/choose/candidate_cost.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "accrete/boosting/choose/candidates.hpp"
#include "accrete/boosting/choose/search_plan.hpp"

namespace accrete::boosting {
namespace {

// Below this share of the constant's loss, what is learnt may be noise: heavier penalties are tried too, and the gain
// must be at least this many times its standard error over the folds.
constexpr double small_gain = 0.1, min_gain_errors = 1.5, weak_handicap = 0.05;

/// What bins gain over none, and many bins over few, as a share of the loss, when rows or steps double; at most
/// max_given_up of what was learnt.
constexpr double gain_of_bins = 0.02, gain_of_many_bins = 0.006;
constexpr std::uint64_t many_bins = 64;
/// All doublings together never take more of what was learnt, so that a better candidate stays better.
constexpr double max_handicap = 0.9;

/// The loss, larger by a share of its size. Losses of counts may be negative.
double with_margin(double loss, double share) {
  return loss + share * std::abs(loss);
}

/// The drop of the loss below the constant's; at least 0.
double learnt(const Candidate& candidate, double loss) {
  return candidate.held_out_loss.empty() ? 0.0 : std::max(0.0, candidate.held_out_loss.front() - loss);
}

}  // namespace

std::size_t CandidateCost::deciding_step(const Candidate& candidate) const {
  return chooses_length ? candidate.best_step() : candidate.steps();
}

double CandidateCost::loss(const Candidate& candidate) const {
  if (candidate.held_out_loss.empty()) return std::numeric_limits<double>::infinity();
  const double value = candidate.held_out_loss[deciding_step(candidate)];
  return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
}

double CandidateCost::cost(const Candidate& candidate) const {
  const std::vector<double>& metric = candidate.held_out_metric;
  if (metric.empty() || !std::isfinite(loss(candidate))) return loss(candidate);
  const double value = chooses_length ? std::ranges::min(metric) : metric.back();
  return std::isfinite(value) ? value : loss(candidate);
}

/// Bins gain with more rows and steps than are compared, so a candidate with fewer of them must be better by a share
/// per doubling. If little is learnt, a light penalty must be better by weak_handicap.
double CandidateCost::handicapped_cost(const Candidate& candidate) const {
  const double value = cost(candidate);
  if (is_weak && candidate.config.alpha < min_heavier_alpha) return with_margin(value, weak_handicap);
  const std::uint64_t bins = candidate.config.bins;
  if (doublings == 0.0 || bins >= many_bins) return value;
  double handicap = doublings * (bins > 0 ? gain_of_many_bins : gain_of_bins) * std::abs(value);
  if (candidate.held_out_metric.empty())
    handicap =
        std::min(handicap, std::min(doublings * max_given_up, max_handicap) * learnt(candidate, loss(candidate)));
  return value + handicap;
}

bool CandidateCost::learns_little(std::span<Candidate* const> candidates) const {
  return std::ranges::all_of(candidates, [&](const Candidate* candidate) {
    return !candidate->held_out_loss.empty() &&
           !(loss(*candidate) < with_margin(candidate->held_out_loss.front(), -small_gain));
  });
}

bool is_constant_best(const Candidate& winner) {
  const std::size_t best = winner.best_step(), folds = winner.curves.size();
  if (best == 0) return true;
  const double start = winner.held_out_loss.front(), gain = start - winner.held_out_loss[best];
  if (folds < 2 || gain >= small_gain * std::abs(start)) return false;
  double squares = 0.0;
  for (const Curves& fold : winner.curves) {
    const double difference = fold.validation.front() - fold.validation[best] - gain;
    squares += difference * difference;
  }
  return gain < min_gain_errors * std::sqrt(squares / static_cast<double>(folds * (folds - 1)));
}

}  // namespace accrete::boosting
