#pragma once
// Runs a fixed list of tasks on a thread pool. Which thread runs a task is unspecified, but the tasks and the order in
// which callers reduce their results are fixed, so results are bit-identical for any number of threads.

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

namespace accrete::core {

/// Owns a pool of threads. Not thread-safe: one caller at a time.
class Workers {
 public:
  /// threads includes the caller; 0 means hardware_threads(). With 1 the caller runs all tasks and no thread is
  /// started.
  explicit Workers(std::size_t threads = 0);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  std::size_t threads() const { return threads_; }

  /// Runs task(0) .. task(tasks - 1), each exactly once, and returns when all are done. Rethrows the first exception
  /// thrown by a task; the remaining tasks are then skipped.
  void run(std::size_t tasks, const std::function<void(std::size_t)>& task);

  /// Receives the numbers of finished and of all tasks of a run, on the thread that called run. It may throw, as a task
  /// may.
  using Observer = std::function<void(std::size_t done, std::size_t tasks)>;
  /// Calls the observer after each task that the thread of run has finished; empty: none.
  void observe(Observer observer) { observer_ = std::move(observer); }

 private:
  void run_unobserved(std::size_t tasks, const std::function<void(std::size_t)>& task);

  struct ThreadPool;
  std::size_t threads_;
  std::unique_ptr<ThreadPool> pool_;
  Observer observer_;
};

/// The number of hardware threads, at least 1.
std::size_t hardware_threads();

}  // namespace accrete::core
