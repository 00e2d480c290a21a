#pragma once
// The length of a step along a block: rho = slope / curvature of the loss along it, and a bound on the loss it leads
// to. All devices share these rules.
//
// A Newton step trusts the curvature at the current scores. Rows far on the wrong side have almost none, so a block
// that moves them gets a huge rho, which harms rows that were right. If abs(L''') <= L'', as for the logistic and the
// Poisson loss, the curvature grows no faster than exp(move), and along a block with abs(h) <= m
//
//   loss(a) <= loss(0) - slope a + curvature (exp(m a) - 1 - m a) / m^2
//
// The minimum of this bound is at a = log(1 + m rho) / m; a step of that length lowers the loss for any data.

#include <algorithm>
#include <cmath>

#include "accrete/core/inline.hpp"

namespace accrete::config {

/// rho, or 0 if the loss has no curvature left along h, because the ratio of two vanishing sums would be noise.
ACCRETE_HOST_DEVICE inline double newton_step(double slope, double curvature) {
  if (!(curvature > 1e-30) || !std::isfinite(slope / curvature)) return 0.0;
  constexpr double limit = 1e6;  // keeps separable data within the range of float
  return std::clamp(slope / curvature, -limit, limit);
}

/// A Newton step along a block h of one output.
struct NewtonStep {
  double rho;
  double curvature;  ///< sum w L'' h^2
  double max_h;      ///< largest abs(h) of a row

  /// The largest change of any row's score by the full step.
  ACCRETE_HOST_DEVICE double max_move() const { return std::abs(rho) * max_h; }

  /// Upper bound on the increase of the summed loss if the step is multiplied by `rate` <= 1.
  ACCRETE_HOST_DEVICE double max_rise(double rate) const {
    const double whole = max_move(), part = rate * whole;
    if (part <= 1.79) return 0.0;  // exp(x) - 1 - x <= x^2 for x up to this
    const double rise = curvature * rho * rho * (std::expm1(part) - part - part * whole) / (whole * whole);
    return rise > 0.0 ? rise : 0.0;
  }

  /// The share of the step that is guaranteed to lower the loss.
  ACCRETE_HOST_DEVICE double safe_share() const { return max_move() > 0.0 ? std::log1p(max_move()) / max_move() : 1.0; }
};

/// The mean training loss that a Newton step must not exceed, and how a step that exceeds it is shortened.
struct StepGuard {
  static constexpr int max_cuts = 8;

  double max_loss;
  double first_factor;  ///< of the first cut; every further cut halves the step
  bool is_needed;       ///< false: the step cannot exceed max_loss

  /// The step of each output is computed independently of the others. If outputs are coupled (softmax), all steps
  /// together must not raise the loss.
  ACCRETE_HOST_DEVICE static StepGuard for_outputs(double loss) { return {loss, 0.5, true}; }

  /// A step of a single output may raise the loss: later steps make up for it, and fits that forbid it end no lower.
  /// But a network that gets worse than its start score diverges, so a step that could lead there is shortened.
  ACCRETE_HOST_DEVICE static StepGuard for_one_output(const NewtonStep& step, double rate, double loss,
                                                      double start_loss, std::size_t rows) {
    const double max_loss = std::max(loss, start_loss);
    const double bound = loss + step.max_rise(rate) / static_cast<double>(rows);
    return {max_loss, step.safe_share(), !(bound <= max_loss)};
  }

  /// Calls multiply(factor) until loss_after() <= max_loss. Returns false if max_cuts are not enough; drop the step
  /// then.
  template <class LossAfter, class Multiply>
  ACCRETE_HOST_DEVICE bool shorten(LossAfter loss_after, Multiply multiply) const {
    for (int cuts = 0; cuts < max_cuts; ++cuts) {
      if (loss_after() <= max_loss) return true;
      multiply(cuts == 0 ? first_factor : 0.5);
    }
    return false;
  }
};

}  // namespace accrete::config
