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
/// tasks from a shared counter until none is left, and count themselves out. The caller works too, closes the gate when
/// no task is left, and waits only for helpers inside: on a busy machine one that never got a processor costs nothing.
struct Workers::Team {
  std::vector<std::thread> helpers;
  std::atomic<std::uint32_t> generation{0};
  static constexpr std::uint32_t open = std::uint32_t{1} << 31;
  std::atomic<std::uint32_t> gate{0};  ///< `open`, or not, plus the number of helpers inside
  std::atomic<std::size_t> next{0};
  std::size_t tasks = 0;
  const std::function<void(std::size_t)>* task = nullptr;
  std::atomic<bool> stop{false};
  std::mutex failure_mutex;
  std::exception_ptr failure;

  /// Here and not in ~Workers, so that helpers already started are joined when starting the next one throws.
  ~Team() {
    stop.store(true, std::memory_order_release);
    generation.fetch_add(1, std::memory_order_acq_rel);
    generation.notify_all();
    for (auto& helper : helpers) helper.join();
  }

  void drain() {
    try {
      for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < tasks;) (*task)(i);
    } catch (...) {
      next.store(tasks, std::memory_order_relaxed);
      std::scoped_lock lock(failure_mutex);
      if (!failure) failure = std::current_exception();
    }
  }

  /// Spins for a moment, since evaluations follow each other closely, then sleeps.
  void wait_past(std::uint32_t seen) {
    for (int i = 0; i < 2000; ++i) {
      if (generation.load(std::memory_order_acquire) != seen) return;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    generation.wait(seen, std::memory_order_acquire);
  }

  void help() {
    std::uint32_t seen = 0;
    for (;;) {
      wait_past(seen);
      seen = generation.load(std::memory_order_acquire);
      if (stop.load(std::memory_order_acquire)) return;
      if (!enter()) continue;
      drain();
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
  team_ = std::make_unique<Team>();
  for (std::size_t i = 1; i < threads_; ++i) team_->helpers.emplace_back([team = team_.get()] { team->help(); });
}

Workers::~Workers() = default;

void Workers::run(std::size_t tasks, const std::function<void(std::size_t)>& task) {
  if (!team_ || tasks <= 1) {
    for (std::size_t i = 0; i < tasks; ++i) task(i);
    return;
  }
  Team& team = *team_;
  team.tasks = tasks;
  team.task = &task;
  team.next.store(0, std::memory_order_relaxed);
  team.gate.store(Team::open, std::memory_order_release);
  team.generation.fetch_add(1, std::memory_order_acq_rel);
  team.generation.notify_all();
  team.drain();
  team.gate.fetch_and(~Team::open, std::memory_order_acq_rel);
  for (std::uint32_t inside; (inside = team.gate.load(std::memory_order_acquire)) != 0;)
    team.gate.wait(inside, std::memory_order_acquire);
  if (team.failure) std::rethrow_exception(std::exchange(team.failure, nullptr));
}

}  // namespace accrete::core
