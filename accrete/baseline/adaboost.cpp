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

/// As many rows as there are weights, drawn with replacement in proportion to them; ascending.
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

/// The drawn rows as a dataset of their own; the draw has spent the weights.
data::Dataset resample(const data::Dataset& data, std::span<const std::size_t> rows) {
  data::Dataset drawn;
  drawn.features = data.features.select_rows(rows);
  drawn.targets = core::Matrix<double>(rows.size(), data.targets.cols());
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::ranges::copy(data.targets.row(rows[i]), drawn.targets.row(i).begin());
  drawn.weights.assign(rows.size(), 1.0);
  return drawn;
}

/// How wrong a network is on each row, 0 to 1: for classes one or the other, for numbers a share of the largest error.
std::vector<double> wrongness(const network::PlainNetwork& network, const backend::Source& source) {
  const data::Dataset& data = source.dataset;
  const auto scores = network::forward(network, data.features.stored(), source.workers);
  std::vector<double> wrong(data.rows());
  for (std::size_t r = 0; r < wrong.size(); ++r) {
    const double y = data.targets(r, 0);
    if (source.loss.classes())
      wrong[r] = model::class_of_scores(scores.row(r).data(), source.outputs, 1) == static_cast<std::size_t>(y) ? 0 : 1;
    else
      wrong[r] = std::abs(static_cast<double>(scores(r, 0)) - y);
  }
  const double largest = std::ranges::max(wrong);
  if (!source.loss.classes() && largest > 0.0)
    for (double& w : wrong) w /= largest;
  return wrong;
}

/// The weights of the rows as networks are added.
class RowWeights {
 public:
  explicit RowWeights(const backend::Source& source)
      : classes_(source.loss.classes()),
        count_(static_cast<double>(std::max<std::size_t>(source.outputs, 2))),
        weights_(source.dataset.weights) {
    normalise();
  }

  std::span<const double> weights() const { return weights_; }

  double error(std::span<const double> wrong) const {
    return std::inner_product(wrong.begin(), wrong.end(), weights_.begin(), 0.0);
  }

  /// An error from which on a network is no better than chance.
  double chance() const { return classes_ ? 1.0 - 1.0 / count_ : 0.5; }

  /// Moves the weights on; returns the network's vote.
  double learn(std::span<const double> wrong, double error, double rate) {
    const double odds = std::log((1.0 - error) / error);
    const double vote = rate * (classes_ ? odds + std::log(count_ - 1.0) : odds);
    for (std::size_t r = 0; r < weights_.size(); ++r)
      weights_[r] *= classes_ ? std::exp(vote * wrong[r]) : std::exp(-rate * odds * (1.0 - wrong[r]));
    normalise();
    return vote;
  }

 private:
  /// No row that weighs anything is lost for good.
  void normalise() {
    const double total = std::accumulate(weights_.begin(), weights_.end(), 0.0);
    for (double& w : weights_)
      if (w > 0.0) w = std::max(w / total, std::numeric_limits<double>::epsilon());
  }

  bool classes_;
  double count_;  ///< of the classes
  std::vector<double> weights_;
};

}  // namespace

Boosted boost(const Config& config, const backend::Source& source, const MemberObserver& observe) {
  Boosted result;
  RowWeights weights(source);
  for (std::uint64_t step = 0; step < config.estimators; ++step) {
    const auto rows = draw_rows(weights.weights(), core::Rng(config.seed, step, core::Purpose::rows));
    const data::Dataset drawn = resample(source.dataset, rows);
    const backend::Source some{drawn, source.outputs, source.loss, source.activation, source.workers};
    network::PlainNetwork network = train({config, some, {config.units_per_step}, step}).network;
    const auto wrong = wrongness(network, source);
    const double error = weights.error(wrong);
    const bool perfect = !(error > 0.0), no_better = error >= weights.chance();
    if (no_better && !result.members.empty()) {
      result.ending = Ending::no_better;
      break;
    }
    const double vote = perfect || no_better ? 1.0 : weights.learn(wrong, error, config.learning_rate);
    result.members.push_back({std::move(network), vote});
    result.errors.push_back(error);
    const bool go_on = !observe || observe(result.members.size(), error);
    result.ending = perfect     ? Ending::perfect
                    : no_better ? Ending::no_better
                    : go_on     ? Ending::finished
                                : Ending::observer;
    if (result.ending != Ending::finished) break;
  }
  return result;
}

}  // namespace accrete::baseline
