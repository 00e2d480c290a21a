#pragma once
// Start scores: the constants that minimise a loss over weighted targets.

#include <algorithm>
#include <numeric>
#include <vector>

#include "accrete/loss/formula.hpp"

namespace accrete::loss {

inline double weighted_mean(const WeightedTargets& sample) {
  double sum = 0.0, weight = 0.0;
  for (std::size_t i = 0; i < sample.targets.size(); ++i) {
    sum += sample.weights[i] * sample.targets[i];
    weight += sample.weights[i];
  }
  return sum / weight;
}

/// Lower bound of a class share or mean count; keeps the logarithm finite for a class without rows.
inline constexpr double min_share = 1e-9;

/// The smallest target that has at least q of the weight at or below it.
inline double weighted_quantile(const WeightedTargets& sample, double q) {
  std::vector<std::size_t> order(sample.targets.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return sample.targets[a] < sample.targets[b]; });
  const double wanted = q * std::accumulate(sample.weights.begin(), sample.weights.end(), 0.0);
  double below = 0.0;
  for (std::size_t i : order) {
    below += sample.weights[i];
    if (below >= wanted) return sample.targets[i];
  }
  return sample.targets[order.back()];
}

/// The start score of a convex loss without a closed form: bisection on the mean derivative, which increases with the
/// score.
template <class Derivative>
double root_of_mean_derivative(const WeightedTargets& sample, Derivative derivative) {
  auto [lowest, highest] = std::minmax_element(sample.targets.begin(), sample.targets.end());
  double low = *lowest, high = *highest;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = low + 0.5 * (high - low);
    double slope = 0.0;
    for (std::size_t r = 0; r < sample.targets.size(); ++r)
      slope += sample.weights[r] * derivative(sample.targets[r], middle);
    (slope > 0.0 ? high : low) = middle;
  }
  return low + 0.5 * (high - low);
}

}  // namespace accrete::loss
