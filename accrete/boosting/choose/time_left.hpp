#pragma once
// Estimates how long a fit still takes.

#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

namespace accrete::boosting {

/// How far a fit is, over choosing and training.
struct TimeEstimate {
  double fraction;      ///< of the time; never falls
  double seconds_left;  ///< NaN before the first step
};

/// Work done, and all work as far as it can be foreseen, in steps over one row.
struct Work {
  double done, total;
};

/// Work still to do takes as long as work did in the last half of the time, or since the phase began if that is
/// shorter. The clock starts with the object.
class TimeLeft {
 public:
  /// limit: seconds after which the fit ends at the latest; 0: none.
  explicit TimeLeft(double limit = 0.0) : limit_(limit) {}

  TimeEstimate at(Work work) { return at(work, elapsed()); }
  TimeEstimate at(Work work, double seconds);  ///< with the clock's time given

  /// For work that estimates the seconds that are left itself.
  TimeEstimate with_left(double seconds_left) { return with_left(seconds_left, elapsed()); }
  TimeEstimate with_left(double seconds_left, double seconds);  ///< with the clock's time given

  double done() const { return samples_.back().second; }  ///< the work of the last call
  /// The pace may change from here on.
  void begin_phase() { begin_phase(elapsed()); }
  void begin_phase(double seconds) { phase_ = {seconds, done()}; }

 private:
  using Clock = std::chrono::steady_clock;

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  /// Seconds per unit of work.
  double pace(Work work, double seconds) const;

  Clock::time_point start_ = Clock::now();
  double limit_;
  double fraction_ = 0.0;
  std::pair<double, double> phase_{0.0, 0.0};                   ///< seconds and work done when the phase began
  std::vector<std::pair<double, double>> samples_{{0.0, 0.0}};  ///< seconds and work done, the last one current
};

/// The steps a network is expected to have when it ends, if it has at most `max` and ends `patience` steps after its
/// best one: between these bounds, and nearer to the lower one the longer it has not improved.
double expected_steps(std::size_t steps, std::size_t best_step, std::size_t patience, std::size_t max);

}  // namespace accrete::boosting
