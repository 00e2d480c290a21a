#pragma once
// A thread pool for connections that grows on demand up to a limit.

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
  /// set_waiting is called, on any thread and with a lock held, with the number of tasks that wait for a thread.
  ConnectionThreads(std::size_t max_threads, std::function<void(std::size_t)> set_waiting)
      : max_threads_(max_threads), set_waiting_(std::move(set_waiting)) {}

  /// Runs the task on an idle or new thread, or queues it; returns false if the queue is full.
  bool run(std::function<void()> task);

  /// Waits for all tasks.
  void join();

 private:
  void work();
  void report_waiting();

  const std::size_t max_threads_;
  const std::function<void(std::size_t)> set_waiting_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;  ///< threads that are idle or starting
  bool joining_ = false;
};

}  // namespace accrete::serve
