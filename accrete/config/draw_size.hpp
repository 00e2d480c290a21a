#pragma once
// How many rows and features a step draws, the same on every device.

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "accrete/config/config.hpp"

namespace accrete::config {

/// Fewer features per step could make every unit read a single column, and the network an additive model.
inline constexpr std::size_t min_features_per_step = 4;

/// floor(subsample * rows), with subsample read as a decimal; 0 if the share is less than one row.
inline std::size_t rows_per_step(const ResolvedConfig& config, std::size_t rows) {
  const double share = config.subsample * static_cast<double>(rows);
  return std::min(rows, static_cast<std::size_t>(share + 1e-9 * share));  // 0.29 * 100 is 28.999999999999996
}

/// feature_fraction of the features, rounded, but at least min_features_per_step if there are that many.
inline std::size_t features_per_step(const ResolvedConfig& config, std::size_t features) {
  const auto wanted = static_cast<std::size_t>(std::llround(config.feature_fraction * static_cast<double>(features)));
  return std::clamp(wanted, std::min(min_features_per_step, features), features);
}

}  // namespace accrete::config
