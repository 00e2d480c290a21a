// The start score: the constant that minimises the loss, given the offsets.

#include <algorithm>
#include <limits>

#include "accrete/boosting/train.hpp"
#include "accrete/config/preset.hpp"

namespace accrete::boosting {
namespace {

/// One score per output; outputs are independent.
std::vector<double> start_of(const TrainTask& task, const loss::Loss& loss) {
  const bool softmax = loss.link() == loss::Link::softmax;
  std::vector<double> start(task.outputs, 0.0), column(task.data.rows());
  for (std::size_t k = 0; k < task.outputs && (!softmax || task.config.prior_start); ++k) {
    const std::size_t target = softmax || !loss.quantiles().empty() ? 0 : k;
    for (std::size_t r = 0; r < column.size(); ++r) {
      const double y = task.data.targets(r, target);
      column[r] = softmax ? static_cast<double>(y == static_cast<double>(k)) : y;
    }
    loss::LossSettings settings = loss.settings;
    if (!loss.quantiles().empty()) settings.quantile = loss.quantiles()[k];
    start[k] = loss.visit([&](auto l) { return decltype(l)::start({column, task.data.weights}, settings); });
  }
  return start;
}

/// The mean derivative of the loss at score + offset. It rises with the score, because losses are convex.
double mean_slope(const TrainTask& task, const loss::Loss& loss, double score) {
  return loss.visit([&]<class L>(L) {
    double slope = 0.0;
    if constexpr (requires { L::derivative(0.0, 0.0, loss.settings); })
      for (std::size_t r = 0; r < task.data.rows(); ++r)
        slope +=
            task.data.weights[r] * L::derivative(task.data.targets(r, 0), score + task.data.offsets[r], loss.settings);
    return slope;
  });
}

/// Bisection between scores at which the derivatives of all rows have the same sign.
double start_with_offsets(const TrainTask& task, const loss::Loss& loss) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  const bool identity = loss.link() == loss::Link::identity;
  for (std::size_t r = 0; r < task.data.rows(); ++r) {
    // Beyond +-40 a logit or a logarithm is saturated.
    const double y = task.data.targets(r, 0), offset = task.data.offsets[r];
    low = std::min(low, (identity ? y : -40.0) - offset);
    high = std::max(high, (identity ? y : 40.0) - offset);
  }
  for (int i = 0; i < 60 && low < high; ++i) {
    const double middle = low + 0.5 * (high - low);
    (mean_slope(task, loss, middle) > 0.0 ? high : low) = middle;
  }
  return low + 0.5 * (high - low);
}

}  // namespace

network::Network start_network(const TrainTask& task) {
  const loss::Loss loss = config::loss_of(task.config);
  const data::Dataset& data = task.data;
  std::vector<double> start;
  if (task.custom_loss)
    start = loss::custom_start(*task.custom_loss, data.targets, data.weights, task.outputs, data.offsets);
  else if (!data.offsets.empty())
    start = {start_with_offsets(task, loss)};
  else
    start = start_of(task, loss);
  network::Network network(data.features.cols(), activation::Activation::named(task.config.activation), start);
  if (!task.config.monotone.empty()) network.require_exact_activation();
  return network;
}

}  // namespace accrete::boosting
