#include "accrete/core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace accrete::core {

std::size_t hardware_threads() {
  return std::max(1u, std::thread::hardware_concurrency());
}

/// A call of run() is a generation. Helpers wait for the generation to change, pass the gate if it is still open, take
/// tasks until none is left, and count themselves out. The caller works too, closes the gate when no task is left, and
/// waits only for helpers inside: on a busy machine one that never got a processor costs nothing.
///
/// Tasks lie in as many segments as there are threads. Everyone starts with his own, the same in every generation, so
/// that the rows of a task stay in the cache of the processor that had them last; then he helps out in the others'.
struct Workers::Team {
  std::vector<std::thread> helpers;
  std::atomic<std::uint32_t> generation{0};
  static constexpr std::uint32_t open = std::uint32_t{1} << 31;
  std::atomic<std::uint32_t> gate{0};  ///< `open`, or not, plus the number of helpers inside
  struct alignas(64) Segment {
    std::atomic<std::size_t> next{0};
    std::size_t end = 0;
  };
  std::vector<Segment> segments;
  const std::function<void(std::size_t)>* task = nullptr;
  std::atomic<bool> stop{false};
  std::mutex failure_mutex;
  std::exception_ptr failure;

  explicit Team(std::size_t threads) : segments(threads) {}

  /// Here and not in ~Workers, so that helpers already started are joined when starting the next one throws.
  ~Team() {
    stop.store(true, std::memory_order_release);
    generation.fetch_add(1, std::memory_order_acq_rel);
    generation.notify_all();
    for (auto& helper : helpers) helper.join();
  }

  void deal(std::size_t tasks) {
    const std::size_t threads = segments.size();
    for (std::size_t t = 0; t < threads; ++t) {
      segments[t].end = (t + 1) * tasks / threads;
      segments[t].next.store(t * tasks / threads, std::memory_order_relaxed);
    }
  }

  void drain(std::size_t self) {
    try {
      for (std::size_t k = 0; k < segments.size(); ++k) {
        Segment& segment = segments[(self + k) % segments.size()];
        // Looked at before it is taken from: an empty segment's line stays where it is.
        while (segment.next.load(std::memory_order_relaxed) < segment.end)
          if (const std::size_t i = segment.next.fetch_add(1, std::memory_order_relaxed); i < segment.end) (*task)(i);
      }
    } catch (...) {
      for (Segment& segment : segments) segment.next.store(segment.end, std::memory_order_relaxed);
      std::scoped_lock lock(failure_mutex);
      if (!failure) failure = std::current_exception();
    }
  }

  /// Returns when done(number), or after a moment of trying.
  template <class Done>
  static std::uint32_t spin(const std::atomic<std::uint32_t>& number, const Done& done) {
    std::uint32_t value = number.load(std::memory_order_acquire);
    for (int i = 0; i < 2000 && !done(value); ++i) {
#if defined(__x86_64__)
      __builtin_ia32_pause();
#elif defined(__aarch64__)
      __asm__ volatile("isb");  // takes a dozen nanoseconds, where `yield` takes none
#endif
      value = number.load(std::memory_order_acquire);
    }
    return value;
  }

  /// Spins for a moment, since evaluations follow each other closely, then sleeps.
  void wait_past(std::uint32_t seen) {
    if (spin(generation, [&](std::uint32_t now) { return now != seen; }) == seen)
      generation.wait(seen, std::memory_order_acquire);
  }

  /// Closes the gate and waits for the helpers inside, who are at their last task.
  void wait_until_empty() {
    gate.fetch_and(~open, std::memory_order_acq_rel);
    std::uint32_t inside = spin(gate, [](std::uint32_t now) { return now == 0; });
    for (; inside != 0; inside = gate.load(std::memory_order_acquire)) gate.wait(inside, std::memory_order_acquire);
  }

  void help(std::size_t self) {
    std::uint32_t seen = 0;
    for (;;) {
      wait_past(seen);
      seen = generation.load(std::memory_order_acquire);
      if (stop.load(std::memory_order_acquire)) return;
      if (!enter()) continue;
      drain(self);
      // 1: the gate is closed and this was the last inside.
      if (gate.fetch_sub(1, std::memory_order_acq_rel) == 1) gate.notify_one();
    }
  }

  bool enter() {
    std::uint32_t state = gate.load(std::memory_order_acquire);
    while (state & open)
      if (gate.compare_exchange_weak(state, state + 1, std::memory_order_acq_rel, std::memory_order_acquire))
        return true;
    return false;
  }
};

Workers::Workers(std::size_t threads) : threads_(threads == 0 ? hardware_threads() : threads) {
  if (threads_ == 1) return;
  team_ = std::make_unique<Team>(threads_);
  for (std::size_t i = 1; i < threads_; ++i) team_->helpers.emplace_back([team = team_.get(), i] { team->help(i); });
}

Workers::~Workers() = default;

void Workers::run(std::size_t tasks, const std::function<void(std::size_t)>& task) {
  if (!team_ || tasks <= 1) {
    for (std::size_t i = 0; i < tasks; ++i) task(i);
    return;
  }
  Team& team = *team_;
  team.task = &task;
  team.deal(tasks);
  team.gate.store(Team::open, std::memory_order_release);
  team.generation.fetch_add(1, std::memory_order_acq_rel);
  team.generation.notify_all();
  team.drain(0);
  team.wait_until_empty();
  if (team.failure) std::rethrow_exception(std::exchange(team.failure, nullptr));
}

}  // namespace accrete::core
