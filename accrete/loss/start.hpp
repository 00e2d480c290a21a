#pragma once
// The constants that minimise a loss over a weighted sample: the first term of every model.

#include <algorithm>
#include <numeric>
#include <vector>

#include "accrete/loss/formula.hpp"

namespace accrete::loss {

inline double weighted_mean(const Sample& sample) {
  double sum = 0.0, weight = 0.0;
  for (std::size_t i = 0; i < sample.targets.size(); ++i) {
    sum += sample.weights[i] * sample.targets[i];
    weight += sample.weights[i];
  }
  return sum / weight;
}

/// Where a class or any count is missing from the sample its logarithm has no end; the start stops at that of this
/// share.
inline constexpr double least_share = 1e-9;

/// The smallest target with at least q of the weight at or below it.
inline double weighted_quantile(const Sample& sample, double q) {
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

/// For convex losses without a closed form: bisection on the mean derivative, which rises with f.
template <class Derivative>
double root_of_mean_derivative(const Sample& sample, Derivative derivative) {
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
