#pragma once
// The time limit of a fit.

#include <chrono>

namespace accrete::boosting {

/// The clock starts with the object.
class Deadline {
 public:
  /// 0 seconds: no limit.
  explicit Deadline(double seconds) : seconds_(seconds) {}

  /// True once this share of the time has passed.
  bool has_passed(double share = 1.0) const { return seconds_ > 0.0 && elapsed() >= share * seconds_; }

 private:
  using Clock = std::chrono::steady_clock;

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  Clock::time_point start_ = Clock::now();
  double seconds_;
};

}  // namespace accrete::boosting
