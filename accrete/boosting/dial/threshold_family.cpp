#include "accrete/boosting/dial/threshold_family.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace accrete::boosting {
namespace {

// Quantile of the learning rows that sets the scale of an exit. The factor covers the tail beyond it; lower quantiles
// are less noisy.
constexpr double class_quantile = 0.95, value_quantile = 0.99;

double quantile(std::vector<double> values, double share) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, at);
  return *at;
}

}  // namespace

ThresholdFamily::ThresholdFamily(const ExitEvidence& evidence, std::span<const std::size_t> learning)
    : classes_(evidence.tolerances.empty()) {
  for (std::size_t e = 0; e < evidence.exit_signal.rows(); ++e) {
    std::vector<double> signals, change;
    for (const std::size_t r : learning) signals.push_back(evidence.exit_signal(e, r));
    const double usual = classes_ ? 0.0 : std::max(quantile(signals, 0.5), std::numeric_limits<double>::min());
    for (std::size_t i = 0; i < learning.size(); ++i)
      change.push_back(evidence.change(e, learning[i]) / (classes_ ? 1.0 : signals[i] + usual));
    usual_.push_back(usual);
    // Where nearly all margins grow, this floor keeps the threshold above 0.
    std::vector<double> sizes(change.size());
    std::ranges::transform(change, sizes.begin(), [](double value) { return std::abs(value); });
    const double floor = std::max(0.1 * quantile(std::move(sizes), 0.5), std::numeric_limits<double>::min());
    scale_.push_back(std::max(quantile(std::move(change), classes_ ? class_quantile : value_quantile), floor));
  }
}

std::vector<double> ThresholdFamily::thresholds(double factor) const {
  std::vector<double> result;
  for (std::size_t e = 0; e < scale_.size(); ++e)
    result.push_back(classes_ ? factor * scale_[e] : e == 0 ? -1.0 : 1.0 / (factor * scale_[e]) - usual_[e]);
  return result;
}

ExitOutcome try_thresholds(const ExitEvidence& evidence, const ThresholdFamily& family,
                           std::span<const double> thresholds, std::span<const std::size_t> rows,
                           std::span<const std::size_t> units) {
  ExitOutcome outcome;
  for (const std::size_t r : rows) {
    std::size_t e = 0;
    while (e < thresholds.size() && !family.stops(evidence.exit_signal(e, r), thresholds[e])) ++e;
    if (e < thresholds.size()) outcome.differed += evidence.differs(e, r);
    outcome.units += static_cast<double>(units[e]) / static_cast<double>(rows.size());
  }
  return outcome;
}

std::vector<double> factors() {
  std::vector<double> result;
  for (int i = 80; i >= -40; --i) result.push_back(std::exp2(i / 8.0));
  return result;
}

}  // namespace accrete::boosting
