#pragma once
// Times calls in batches that are long enough for the clock. The fastest batch counts, because other load can only slow
// a batch down, and the ceilings are measured the same way.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
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

struct TimingEffort {
  int batches = 40;
  double batch_seconds = 0.007;
};

/// Seconds per call of `work`, called until `seconds` have passed. A first call warms up and is not counted.
template <class Work>
double time_batch(double seconds, Work&& work) {
  work();
  std::size_t calls = 0;
  const Stopwatch watch;
  do work(), ++calls;
  while (watch.seconds() < seconds);
  return watch.seconds() / static_cast<double>(calls);
}

inline Timing timing_of(std::vector<double> batches) {
  std::sort(batches.begin(), batches.end());
  return {batches.front(), (batches.back() - batches.front()) / batches.front()};
}

template <class Work>
Timing time_calls(const TimingEffort& effort, Work&& work) {
  std::vector<double> batches;
  for (int b = 0; b < effort.batches; ++b) batches.push_back(time_batch(effort.batch_seconds, work));
  return timing_of(batches);
}

/// Alternates one batch of each work, so that other load disturbs all of them equally.
inline std::vector<Timing> time_interleaved(const TimingEffort& effort,
                                            const std::vector<std::function<void()>>& works) {
  std::vector<std::vector<double>> batches(works.size());
  for (int b = 0; b < effort.batches; ++b)
    for (std::size_t i = 0; i < works.size(); ++i) batches[i].push_back(time_batch(effort.batch_seconds, works[i]));
  std::vector<Timing> result;
  for (const auto& of_one : batches) result.push_back(timing_of(of_one));
  return result;
}

}  // namespace accrete::bench
