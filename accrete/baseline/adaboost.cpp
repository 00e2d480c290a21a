#include "accrete/baseline/adaboost.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "accrete/baseline/train.hpp"
#include "accrete/core/random.hpp"
#include "accrete/model/plain.hpp"

namespace accrete::baseline {
namespace {

/// A bootstrap sample of the rows in proportion to their weights; ascending.
std::vector<std::size_t> draw_rows(std::span<const double> weights, core::Rng rng) {
  std::vector<double> ends(weights.size());
  std::partial_sum(weights.begin(), weights.end(), ends.begin());
  std::vector<std::size_t> rows;
  rows.reserve(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto at = std::upper_bound(ends.begin(), ends.end(), rng.uniform() * ends.back());
    rows.push_back(std::min(static_cast<std::size_t>(at - ends.begin()), weights.size() - 1));
  }
  std::ranges::sort(rows);
  return rows;
}

/// The drawn rows as a dataset with weights 1, because the draw has already applied the weights.
data::Dataset resample(const data::Dataset& data, std::span<const std::size_t> rows) {
  data::Dataset drawn;
  drawn.features = data.features.select_rows(rows);
  drawn.targets = core::Matrix<double>(rows.size(), data.targets.cols());
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::ranges::copy(data.targets.row(rows[i]), drawn.targets.row(i).begin());
  drawn.weights.assign(rows.size(), 1.0);
  return drawn;
}

/// The error of a network on each row, from 0 to 1: 0 or 1 for classes, a share of the largest error for numbers.
std::vector<double> row_errors(const network::PlainNetwork& network, const backend::TrainingProblem& problem) {
  const data::Dataset& data = problem.dataset;
  const auto scores = network::forward(network, data.features.stored(), problem.workers);
  std::vector<double> errors(data.rows());
  for (std::size_t r = 0; r < errors.size(); ++r) {
    const double y = data.targets(r, 0);
    if (problem.loss.classes())
      errors[r] =
          model::class_of_scores(scores.row(r).data(), problem.outputs, 1) == static_cast<std::size_t>(y) ? 0 : 1;
    else
      errors[r] = std::abs(static_cast<double>(scores(r, 0)) - y);
  }
  const double largest = std::ranges::max(errors);
  if (!problem.loss.classes() && largest > 0.0)
    for (double& e : errors) e /= largest;
  return errors;
}

/// Row weights that are updated after each network.
class BoostingWeights {
 public:
  explicit BoostingWeights(const backend::TrainingProblem& problem)
      : classes_(problem.loss.classes()),
        count_(static_cast<double>(std::max<std::size_t>(problem.outputs, 2))),
        weights_(problem.dataset.weights) {
    normalise();
  }

  std::span<const double> weights() const { return weights_; }

  double mean_error(std::span<const double> errors) const {
    return std::inner_product(errors.begin(), errors.end(), weights_.begin(), 0.0);
  }

  /// The error of random guessing.
  double chance_error() const { return classes_ ? 1.0 - 1.0 / count_ : 0.5; }

  /// Updates the weights; returns the network's vote.
  double update(std::span<const double> errors, double error, double rate) {
    const double odds = std::log((1.0 - error) / error);
    const double vote = rate * (classes_ ? odds + std::log(count_ - 1.0) : odds);
    for (std::size_t r = 0; r < weights_.size(); ++r)
      weights_[r] *= classes_ ? std::exp(vote * errors[r]) : std::exp(-rate * odds * (1.0 - errors[r]));
    normalise();
    return vote;
  }

 private:
  /// Normalises to sum 1. A positive weight stays positive, however small.
  void normalise() {
    const double total = std::accumulate(weights_.begin(), weights_.end(), 0.0);
    for (double& w : weights_)
      if (w > 0.0) w = std::max(w / total, std::numeric_limits<double>::epsilon());
  }

  bool classes_;
  double count_;  ///< number of classes
  std::vector<double> weights_;
};

}  // namespace

AdaBoostResult train_adaboost(const ResolvedConfig& config, const backend::TrainingProblem& problem,
                              const MemberObserver& observe) {
  AdaBoostResult result;
  BoostingWeights weights(problem);
  for (std::uint64_t step = 0; step < config.estimators; ++step) {
    const auto rows = draw_rows(weights.weights(), core::Rng(config.seed, step, core::Purpose::rows));
    const data::Dataset drawn = resample(problem.dataset, rows);
    const backend::TrainingProblem sample{.dataset = drawn,
                                          .outputs = problem.outputs,
                                          .loss = problem.loss,
                                          .activation = problem.activation,
                                          .workers = problem.workers};
    network::PlainNetwork network = train({config, sample, {config.units_per_step}, step}).network;
    const auto errors = row_errors(network, problem);
    const double error = weights.mean_error(errors);
    const bool no_error = !(error > 0.0), no_better = error >= weights.chance_error();
    if (no_better && !result.members.empty()) {
      result.stop = AdaBoostStop::no_better;
      break;
    }
    const double vote = no_error || no_better ? 1.0 : weights.update(errors, error, config.learning_rate);
    result.members.push_back({std::move(network), vote});
    result.errors.push_back(error);
    const bool keep_going = !observe || observe(result.members.size(), error);
    result.stop = no_error     ? AdaBoostStop::no_error
                  : no_better  ? AdaBoostStop::no_better
                  : keep_going ? AdaBoostStop::finished
                               : AdaBoostStop::observer;
    if (result.stop != AdaBoostStop::finished) break;
  }
  return result;
}

}  // namespace accrete::baseline
