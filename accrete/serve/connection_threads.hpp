#pragma once
// Threads for connections: created when needed, up to a limit.

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace accrete::serve {

/// Thread-safe. join() must be called before it is destroyed.
class ConnectionThreads {
 public:
  /// make_way is called, on any thread, for each task that waits because all threads are taken.
  ConnectionThreads(std::size_t max_threads, std::function<void()> make_way)
      : max_threads_(max_threads), make_way_(std::move(make_way)) {}

  /// Runs the task on a thread that is free, or a new one, or queues it; false if too many are queued already.
  bool run(std::function<void()> task);

  /// Waits for all tasks.
  void join();

 private:
  void work();

  const std::size_t max_threads_;
  const std::function<void()> make_way_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool joining_ = false;
};

}  // namespace accrete::serve
