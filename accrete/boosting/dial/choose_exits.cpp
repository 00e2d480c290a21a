#include "accrete/boosting/dial/choose_exits.hpp"

#include <algorithm>
#include <utility>

#include "accrete/boosting/dial/threshold_family.hpp"

namespace accrete::boosting {
namespace {

constexpr double move_units = 16.0;  ///< passing a row on to the next exit costs about as much as these units
constexpr std::size_t max_exits = 8;
constexpr double min_gain = 0.002;  ///< of all units; smaller savings would overfit the learning rows

/// The thresholds of the whole grid for the lowest factor at which the learning rows stay within `disagreement`; empty
/// if there is no such factor.
std::vector<double> learn_thresholds(const ExitEvidence& evidence, std::span<const std::size_t> rows,
                                     std::span<const std::size_t> units, double disagreement) {
  const ThresholdFamily family(evidence, rows);
  const double allowed = std::max(1.0, disagreement * static_cast<double>(rows.size()));
  std::vector<double> best;
  for (const double factor : factors()) {
    auto thresholds = family.thresholds(factor);
    const auto differed = try_thresholds(evidence, family, thresholds, rows, units).differed;
    if (static_cast<double>(differed) > allowed) break;
    best = std::move(thresholds);
  }
  return best;
}

/// Mean units per row, including the cost of passing rows on, if rows may stop at these exits.
double mean_cost(const ExitEvidence& evidence, std::span<const std::size_t> rows, std::span<const std::size_t> units,
                 std::span<const double> thresholds, std::span<const std::size_t> exits) {
  double sum = 0.0;
  for (const std::size_t r : rows) {
    std::size_t i = 0;
    while (i < exits.size() && !(evidence.exit_signal(exits[i], r) >= thresholds[exits[i]])) ++i;
    sum += static_cast<double>(i < exits.size() ? units[exits[i]] : units.back()) + move_units * static_cast<double>(i);
  }
  return sum / static_cast<double>(rows.size());
}

}  // namespace

std::vector<std::size_t> choose_exits(const ExitEvidence& evidence, std::span<const std::size_t> learning,
                                      std::span<const std::size_t> units, double disagreement) {
  std::vector<std::size_t> chosen;
  if (evidence.exit_signal.rows() == 0) return chosen;
  const auto thresholds = learn_thresholds(evidence, learning, units, disagreement);
  if (thresholds.empty()) return chosen;
  const auto all = static_cast<double>(units.back());
  double cost = all;
  while (chosen.size() < max_exits) {
    std::vector<std::size_t> best;
    double best_cost = cost - min_gain * all;
    for (std::size_t e = 0; e < evidence.exit_signal.rows(); ++e) {
      if (std::ranges::binary_search(chosen, e)) continue;
      auto tried = chosen;
      tried.insert(std::ranges::upper_bound(tried, e), e);
      const double tried_cost = mean_cost(evidence, learning, units, thresholds, tried);
      if (tried_cost >= best_cost) continue;
      best_cost = tried_cost;
      best = std::move(tried);
    }
    if (best.empty()) break;
    chosen = std::move(best);
    cost = best_cost;
  }
  return chosen;
}

}  // namespace accrete::boosting
