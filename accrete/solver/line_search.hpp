#pragma once
// Finds a step length along a descent direction that satisfies the strong Wolfe conditions:
//
//   f(a) <= f(0) + c1 a f'(0)      and      |f'(a)| <= c2 |f'(0)|
//
// Steps grow until they bracket such a point, then safeguarded cubic interpolation shrinks the bracket (Nocedal and
// Wright, Numerical Optimization, algorithms 3.5 and 3.6). Works on scalars; the caller moves the point.

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "accrete/core/inline.hpp"

namespace accrete::solver {

class LineSearch {
 public:
  enum class Status { evaluate, accept, failed };

  /// slope = f'(0) < 0; first: the first step to try; noise: absolute rounding error of a value. A step that satisfies
  /// the slope condition and misses the decrease condition by at most `noise` is accepted, and the search ends when the
  /// remaining gain is within the noise.
  ACCRETE_HOST_DEVICE void begin(double value, double slope, double first, double noise) {
    start_value_ = value;
    start_slope_ = slope;
    low_ = high_ = {0.0, value, slope};
    step_ = first;
    trials_ = 0;
    bracketed_ = settling_ = false;
    slack_ = noise;
  }

  ACCRETE_HOST_DEVICE double step() const { return step_; }
  ACCRETE_HOST_DEVICE std::size_t trials() const { return trials_; }

  /// Takes value and slope at step(). accept: step() is the result; evaluate: continue at the new step().
  ACCRETE_HOST_DEVICE Status tell(double value, double slope) {
    ++trials_;
    if (settling_) return Status::accept;
    if (!std::isfinite(value) || !std::isfinite(slope)) {
      value = std::numeric_limits<double>::max();
      slope = 0.0;
    }
    const Trial trial{step_, value, slope};
    const bool flat_enough = std::abs(slope) <= -c2 * start_slope_;
    const double enough = start_value_ + c1 * step_ * start_slope_;
    if (flat_enough && value <= enough + slack_ && value <= low_.value + slack_) return Status::accept;
    const bool too_high = value > enough || (trials_ > 1 && value >= low_.value);
    if (too_high) {
      high_ = trial;
      bracketed_ = true;
    } else {
      if (flat_enough) return Status::accept;
      if (slope * (bracketed_ ? high_.step - low_.step : 1.0) >= 0.0) {
        high_ = low_;
        bracketed_ = true;
      }
      const Trial previous = std::exchange(low_, trial);
      if (!bracketed_) return extend(previous);
    }
    return shrink();
  }

 private:
  struct Trial {
    double step, value, slope;
  };

  static constexpr double c1 = 1e-4;
  static constexpr double c2 = 0.9;
  static constexpr unsigned max_trials = 20;

  /// Not bracketed and still decreasing: moves to the minimum of the cubic through both trials, advancing by 0.1 to 4
  /// times the last advance.
  ACCRETE_HOST_DEVICE Status extend(const Trial& previous) {
    if (trials_ >= max_trials) return settle();
    const double cubic = cubic_minimum(previous, low_);
    const double shortest = low_.step + 0.1 * (low_.step - previous.step);
    const double longest = low_.step + 4.0 * (low_.step - previous.step);
    step_ = std::isfinite(cubic) && cubic > low_.step ? std::fmin(std::fmax(cubic, shortest), longest) : longest;
    return Status::evaluate;
  }

  /// Bracketed by low_ (the best so far) and high_: interpolates, staying at least a tenth of the width away from
  /// either end.
  ACCRETE_HOST_DEVICE Status shrink() {
    const double width = high_.step - low_.step;
    if (trials_ >= max_trials || -start_slope_ * std::abs(width) <= slack_) return settle();
    double inner =
        high_.value < std::numeric_limits<double>::max() ? cubic_minimum(low_, high_) : low_.step + 0.1 * width;
    const double near = low_.step + 0.1 * width, far = high_.step - 0.1 * width;
    if (!std::isfinite(inner)) inner = low_.step + 0.5 * width;
    step_ = width > 0 ? std::fmin(std::fmax(inner, near), far) : std::fmax(std::fmin(inner, near), far);
    return Status::evaluate;
  }

  /// Ends the search at the best trial if it lowers the value. Evaluates it again, because point, value and gradient
  /// must belong to the same trial.
  ACCRETE_HOST_DEVICE Status settle() {
    if (low_.step == 0.0 || low_.value >= start_value_) return Status::failed;
    step_ = low_.step;
    settling_ = true;
    return Status::evaluate;
  }

  ACCRETE_HOST_DEVICE static double cubic_minimum(const Trial& a, const Trial& b) {
    const double d1 = a.slope + b.slope - 3.0 * (a.value - b.value) / (a.step - b.step);
    const double square = d1 * d1 - a.slope * b.slope;
    if (!(square >= 0.0)) return std::numeric_limits<double>::quiet_NaN();
    const double d2 = std::copysign(std::sqrt(square), b.step - a.step);
    return b.step - (b.step - a.step) * (b.slope + d2 - d1) / (b.slope - a.slope + 2.0 * d2);
  }

  Trial low_{}, high_{};
  double start_value_ = 0.0, start_slope_ = 0.0, step_ = 0.0, slack_ = 0.0;
  unsigned trials_ = 0;
  bool bracketed_ = false, settling_ = false;
};

}  // namespace accrete::solver
