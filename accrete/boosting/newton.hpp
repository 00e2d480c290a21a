#pragma once
// How far to go along a block: rho = slope / curvature of the loss there.

#include <algorithm>
#include <cmath>

#include "accrete/core/inline.hpp"

namespace accrete::boosting {

/// The Newton step, or 0 where the loss has no curvature left along h: every row is then as right as floats can say,
/// and a ratio of two vanishing sums would be noise.
ACCRETE_ANYWHERE inline double newton_step(double slope, double curvature) {
  if (!(curvature > 1e-30) || !std::isfinite(slope / curvature)) return 0.0;
  // No single step moves the mean score further than this; separable data would otherwise leap beyond float range.
  constexpr double limit = 1e6;
  return std::clamp(slope / curvature, -limit, limit);
}

}  // namespace accrete::boosting
