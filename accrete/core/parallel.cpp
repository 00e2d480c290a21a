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

/// A call of run() is a generation. Helpers wait for the generation to change, take tasks from a shared
/// counter until none is left, and count themselves out.
struct Workers::Team {
  std::vector<std::thread> helpers;
  std::atomic<std::uint32_t> generation{0};
  std::atomic<std::uint32_t> busy{0};
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
      drain();
      if (busy.fetch_sub(1, std::memory_order_acq_rel) == 1) busy.notify_one();
    }
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
  team.busy.store(static_cast<std::uint32_t>(threads_ - 1), std::memory_order_relaxed);
  team.generation.fetch_add(1, std::memory_order_acq_rel);
  team.generation.notify_all();
  team.drain();
  for (std::uint32_t left; (left = team.busy.load(std::memory_order_acquire)) != 0;)
    team.busy.wait(left, std::memory_order_acquire);
  if (team.failure) std::rethrow_exception(std::exchange(team.failure, nullptr));
}

}  // namespace accrete::core
