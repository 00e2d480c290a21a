#pragma once
// How many rows and features a step draws. Every device draws the same numbers of them.

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "accrete/config/config.hpp"

namespace accrete::config {

/// With fewer features per step the network would be a sum of functions of one column each.
inline constexpr std::size_t min_features_per_step = 4;

/// floor(subsample * rows) as written in decimals; 0 when the share is less than one row.
inline std::size_t rows_per_step(const ResolvedConfig& config, std::size_t rows) {
  const double share = config.subsample * static_cast<double>(rows);
  return std::min(rows, static_cast<std::size_t>(share + 1e-9 * share));  // 0.29 * 100 is 28.999999999999996
}

/// feature_fraction of the features, rounded; at least min_features_per_step, as far as there are that many.
inline std::size_t features_per_step(const ResolvedConfig& config, std::size_t features) {
  const auto wanted = static_cast<std::size_t>(std::llround(config.feature_fraction * static_cast<double>(features)));
  return std::clamp(wanted, std::min(min_features_per_step, features), features);
}

}  // namespace accrete::config
