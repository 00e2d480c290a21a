#pragma once
// How far to go along a block: rho = slope / curvature of the loss there, and what that may do to the loss.
//
// A Newton step trusts the curvature it starts from. Rows that are far on the wrong side have next to none, so that a
// block which moves them is given a huge rho, and the rows that were right pay for it. Where abs(L''') <= L'', as for
// the logistic and the Poisson loss, a curvature grows no faster than exp(move), and
//
//   loss(a) <= loss(0) - slope a + curvature (exp(m a) - 1 - m a) / m^2        along a block with abs(h) <= m:
//
// this bounds what a step can do, and is least at a = log(1 + m rho) / m, which lowers the loss whatever the data.

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

/// A Newton step along a block.
struct NewtonMove {
  double rho, curvature, largest;  ///< curvature: sum w L'' h^2; largest: of abs(h)

  /// How far the whole step moves the row that it moves most.
  double reach() const { return std::abs(rho) * largest; }

  /// By how much the sum of the losses may rise, at most, if `rate` (at most 1) of the step is taken.
  double most_rise(double rate) const {
    const double whole = reach(), part = rate * whole;
    if (part <= 1.79) return 0.0;  // exp(x) - 1 - x <= x^2 up to there
    return std::max(0.0, curvature * rho * rho * (std::expm1(part) - part - part * whole) / (whole * whole));
  }

  /// The share of the step that is sure to lower the loss.
  double sure_share() const { return reach() > 0.0 ? std::log1p(reach()) / reach() : 1.0; }
};

}  // namespace accrete::boosting
