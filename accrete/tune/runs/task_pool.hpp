#pragma once
// Threads that run tasks while the main thread of the rank exchanges messages with the other ranks.

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "accrete/core/parallel.hpp"

namespace accrete::tune {

class TaskPool {
 public:
  /// Runs the task with this number; returns nullopt if it was stopped. Called on several threads.
  using RunTask = std::function<std::optional<std::string>(std::size_t)>;
  using Result = std::pair<std::size_t, std::string>;

  /// The pool uses the workers until its destructor returns.
  TaskPool(core::Workers& workers, RunTask run);
  /// Drops waiting tasks and waits for running ones.
  ~TaskPool();
  TaskPool(const TaskPool&) = delete;
  TaskPool& operator=(const TaskPool&) = delete;

  void add(std::size_t task);
  /// Waits until all added tasks are done, one has failed, or `patience` has passed.
  void wait(std::chrono::milliseconds patience);
  /// The results that finished since the last call.
  std::vector<Result> take_done();
  /// Rethrows the exception of a task, if any.
  void rethrow();

 private:
  void work();
  std::optional<std::size_t> next();

  RunTask run_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::size_t> waiting_;
  std::size_t running_ = 0;
  std::vector<Result> done_;
  std::exception_ptr failure_;
  bool closed_ = false;
  std::jthread driver_;  ///< declared last: it uses the other members
};

}  // namespace accrete::tune
