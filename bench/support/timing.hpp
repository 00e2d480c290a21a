#pragma once
// How long something takes: the fastest of batches, each long enough for the clock, and how far the batches differ. The
// fastest, because what else the machine does only ever slows a batch down, and ceilings are the best of several too.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace accrete::bench {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

struct Timing {
  double fastest = 0.0;  ///< seconds of one call
  double spread = 0.0;   ///< (slowest - fastest batch) / fastest
};

struct Effort {
  int batches = 15;
  double batch_seconds = 0.02;
};

/// One call warms up and is not counted. Each batch calls `work` until its time has passed.
template <class Work>
Timing time_calls(const Effort& effort, Work&& work) {
  work();
  std::vector<double> batches;
  for (int b = 0; b < effort.batches; ++b) {
    std::size_t calls = 0;
    const Stopwatch watch;
    do work(), ++calls;
    while (watch.seconds() < effort.batch_seconds);
    batches.push_back(watch.seconds() / static_cast<double>(calls));
  }
  std::sort(batches.begin(), batches.end());
  return {batches.front(), (batches.back() - batches.front()) / batches.front()};
}

}  // namespace accrete::bench
