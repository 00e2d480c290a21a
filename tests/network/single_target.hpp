#pragma once

#include <hwy/targets.h>

#include <cstdint>

namespace accrete {

/// Restricts the kernels to one instruction set during its lifetime.
struct SingleTarget {
  explicit SingleTarget(std::int64_t target) { choose(target); }
  ~SingleTarget() { choose(0); }
  SingleTarget(const SingleTarget&) = delete;
  SingleTarget& operator=(const SingleTarget&) = delete;

  static void choose(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

}  // namespace accrete
