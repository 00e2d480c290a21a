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

/// Each call of run() is a generation. Threads wait for a new generation, enter the gate if it is still open, run tasks
/// until none is left, and leave. The caller runs tasks too, closes the gate when none is left, and waits only for the
/// threads inside, so it never waits for a thread that the scheduler has not yet started.
///
/// Tasks are divided into one segment per thread. Each thread starts on its own segment, the same in every generation,
/// so that the rows of its tasks stay in that core's cache; then it steals from other segments.
struct Workers::ThreadPool {
  std::vector<std::thread> threads;
  std::atomic<std::uint32_t> generation{0};
  static constexpr std::uint32_t open = std::uint32_t{1} << 31;
  std::atomic<std::uint32_t> gate{0};  ///< number of threads inside, plus `open` while threads may enter
  struct alignas(64) Segment {
    std::atomic<std::size_t> next{0};
    std::size_t end = 0;
  };
  std::vector<Segment> segments;
  const std::function<void(std::size_t)>* task = nullptr;
  std::atomic<bool> stop{false};
  std::mutex failure_mutex;
  std::exception_ptr failure;

  explicit ThreadPool(std::size_t size) : segments(size) {}

  /// Joins here and not in ~Workers, so that threads already started are joined if starting another one throws.
  ~ThreadPool() {
    stop.store(true, std::memory_order_release);
    generation.fetch_add(1, std::memory_order_acq_rel);
    generation.notify_all();
    for (auto& thread : threads) thread.join();
  }

  void assign_segments(std::size_t tasks) {
    const std::size_t count = segments.size();
    for (std::size_t t = 0; t < count; ++t) {
      segments[t].end = (t + 1) * tasks / count;
      segments[t].next.store(t * tasks / count, std::memory_order_relaxed);
    }
  }

  void run_tasks(std::size_t self) {
    try {
      for (std::size_t k = 0; k < segments.size(); ++k) {
        Segment& segment = segments[(self + k) % segments.size()];
        // Loading before the fetch_add keeps an empty segment's cache line shared.
        while (segment.next.load(std::memory_order_relaxed) < segment.end)
          if (const std::size_t i = segment.next.fetch_add(1, std::memory_order_relaxed); i < segment.end) (*task)(i);
      }
    } catch (...) {
      for (Segment& segment : segments) segment.next.store(segment.end, std::memory_order_relaxed);
      std::scoped_lock lock(failure_mutex);
      if (!failure) failure = std::current_exception();
    }
  }

  /// Spins until done(counter), for a bounded time; returns the last value of the counter.
  template <class Done>
  static std::uint32_t spin(const std::atomic<std::uint32_t>& counter, const Done& done) {
    std::uint32_t value = counter.load(std::memory_order_acquire);
    for (int i = 0; i < 2000 && !done(value); ++i) {
#if defined(__x86_64__)
      __builtin_ia32_pause();
#elif defined(__aarch64__)
      __asm__ volatile("isb");  // pauses for about ten nanoseconds; `yield` is a no-op
#endif
      value = counter.load(std::memory_order_acquire);
    }
    return value;
  }

  /// Spins before sleeping, because the next evaluation usually starts within microseconds.
  void wait_for_next_generation(std::uint32_t seen) {
    if (spin(generation, [&](std::uint32_t now) { return now != seen; }) == seen)
      generation.wait(seen, std::memory_order_acquire);
  }

  /// Closes the gate and waits for the threads inside to finish their last task.
  void wait_until_empty() {
    gate.fetch_and(~open, std::memory_order_acq_rel);
    std::uint32_t inside = spin(gate, [](std::uint32_t now) { return now == 0; });
    for (; inside != 0; inside = gate.load(std::memory_order_acquire)) gate.wait(inside, std::memory_order_acquire);
  }

  void thread_main(std::size_t self) {
    std::uint32_t seen = 0;
    for (;;) {
      wait_for_next_generation(seen);
      seen = generation.load(std::memory_order_acquire);
      if (stop.load(std::memory_order_acquire)) return;
      if (!enter()) continue;
      run_tasks(self);
      // A previous value of 1 means that the gate is closed and the last thread has left.
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
  pool_ = std::make_unique<ThreadPool>(threads_);
  for (std::size_t i = 1; i < threads_; ++i)
    pool_->threads.emplace_back([pool = pool_.get(), i] { pool->thread_main(i); });
}

Workers::~Workers() = default;

void Workers::run(std::size_t tasks, const std::function<void(std::size_t)>& task) {
  if (!observer_) return run_unobserved(tasks, task);
  std::atomic<std::size_t> done{0};
  const auto caller = std::this_thread::get_id();
  run_unobserved(tasks, [&](std::size_t i) {
    task(i);
    const std::size_t now = done.fetch_add(1, std::memory_order_relaxed) + 1;
    if (std::this_thread::get_id() == caller) observer_(now, tasks);
  });
}

void Workers::run_unobserved(std::size_t tasks, const std::function<void(std::size_t)>& task) {
  if (!pool_ || tasks <= 1) {
    for (std::size_t i = 0; i < tasks; ++i) task(i);
    return;
  }
  ThreadPool& pool = *pool_;
  pool.task = &task;
  pool.assign_segments(tasks);
  pool.gate.store(ThreadPool::open, std::memory_order_release);
  pool.generation.fetch_add(1, std::memory_order_acq_rel);
  pool.generation.notify_all();
  pool.run_tasks(0);
  pool.wait_until_empty();
  if (pool.failure) std::rethrow_exception(std::exchange(pool.failure, nullptr));
}

}  // namespace accrete::core
