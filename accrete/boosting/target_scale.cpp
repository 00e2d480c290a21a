#include "accrete/boosting/target_scale.hpp"

#include <algorithm>
#include <cmath>

#include "accrete/config/preset.hpp"

namespace accrete::boosting {

std::optional<double> constant_value(const core::Matrix<double>& targets, std::size_t column,
                                     std::span<const std::size_t> rows) {
  const auto differs = [&](std::size_t r) { return targets(r, column) != targets(rows.front(), column); };
  if (rows.empty() || std::ranges::any_of(rows, differs)) return std::nullopt;
  return targets(rows.front(), column);
}

TargetScale target_scale(const TableTargets& data, std::span<const std::size_t> rows,
                         const config::ResolvedConfig& config) {
  const auto& targets = data.targets;
  const auto& weights = data.weights;
  const auto& offsets = data.offsets;
  TargetScale result{std::vector<double>(targets.cols(), 0.0), std::vector<double>(targets.cols(), 1.0)};
  if (!config::loss_of(config).scales()) return result;
  double total = 0.0;
  for (std::size_t r : rows) total += weights[r];
  for (std::size_t c = 0; c < targets.cols(); ++c) {
    if (const auto constant =
            offsets.empty() ? constant_value(targets, c, rows) : std::nullopt) {  // a computed mean would be rounded
      result.shift[c] = *constant;
      continue;
    }
    const auto unexplained = [&](std::size_t r) { return targets(r, c) - (offsets.empty() ? 0.0 : offsets[r]); };
    double mean = 0.0, squares = 0.0;
    for (std::size_t r : rows) mean += weights[r] * unexplained(r) / total;
    for (std::size_t r : rows) squares += weights[r] * (unexplained(r) - mean) * (unexplained(r) - mean);
    const double deviation = std::sqrt(squares / total);
    result.shift[c] = mean;
    if (config.standardise_target && deviation > 0.0 && std::isfinite(deviation)) result.scale[c] = deviation;
  }
  return result;
}

}  // namespace accrete::boosting
