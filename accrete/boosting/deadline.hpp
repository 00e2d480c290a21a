#pragma once
// How much of a fit's time is left.

#include <chrono>

namespace accrete::boosting {

class Deadline {
 public:
  /// 0 seconds: there is no limit.
  explicit Deadline(double seconds) : seconds_(seconds) {}

  /// Whether this share of the time is over.
  bool over(double share = 1.0) const { return seconds_ > 0.0 && elapsed() >= share * seconds_; }

 private:
  using Clock = std::chrono::steady_clock;

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  Clock::time_point start_ = Clock::now();
  double seconds_;
};

}  // namespace accrete::boosting
