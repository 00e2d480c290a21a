#pragma once
// Estimates how long a fit still takes.

#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

namespace accrete::boosting {

/// Progress of a fit over choosing and training.
struct TimeEstimate {
  double fraction;      ///< share of the total time that has passed; never falls
  double seconds_left;  ///< NaN before the first step
};

/// Work done and total expected work, in steps x rows.
struct Work {
  double done, total;
};

/// Extrapolates the pace of the last half of the current phase, or of the whole time if no work was done in that half.
/// The clock starts at construction.
class TimeLeft {
 public:
  /// limit: seconds after which the fit ends at the latest; 0: none.
  explicit TimeLeft(double limit = 0.0) : limit_(limit) {}

  TimeEstimate at(Work work) { return at(work, elapsed()); }
  TimeEstimate at(Work work, double seconds);  ///< at the given clock time

  /// For callers that estimate the remaining seconds themselves.
  TimeEstimate with_seconds_left(double seconds_left) { return with_seconds_left(seconds_left, elapsed()); }
  TimeEstimate with_seconds_left(double seconds_left, double seconds);  ///< at the given clock time

  double done() const { return samples_.back().second; }  ///< work at the last call
  /// Starts a new phase, in which the pace may differ.
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
  std::pair<double, double> phase_{0.0, 0.0};                   ///< seconds and work at the start of the phase
  std::vector<std::pair<double, double>> samples_{{0.0, 0.0}};  ///< seconds and work; the last one is current
};

/// The expected final number of steps of a network that stops at `max` steps or `patience` steps after its best one.
/// The estimate is between these two, and nearer to the earlier one the longer the network has not improved.
double expected_steps(std::size_t steps, std::size_t best_step, std::size_t patience, std::size_t max);

}  // namespace accrete::boosting
