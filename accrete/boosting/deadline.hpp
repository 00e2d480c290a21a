#pragma once
// The time limit of a fit. Across ranks, the clock of rank 0 decides.

#include <chrono>

#include "accrete/comm/values.hpp"

namespace accrete::boosting {

/// The clock starts at construction.
class Deadline {
 public:
  /// 0 seconds: no limit.
  explicit Deadline(double seconds, comm::Communicator& comm = comm::one_process()) : seconds_(seconds), comm_(comm) {}

  /// True once this share of the time has passed.
  bool has_passed(double share = 1.0) const {
    return seconds_ > 0.0 && comm::broadcast_value(comm_, elapsed() >= share * seconds_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  Clock::time_point start_ = Clock::now();
  double seconds_;
  comm::Communicator& comm_;
};

}  // namespace accrete::boosting
