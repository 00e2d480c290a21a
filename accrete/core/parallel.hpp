#pragma once
// Work split into a fixed list of tasks. Which thread runs a task is chance; what a task computes, and the order in
// which results are joined, is not: bits never depend on the number of threads.

#include <cstddef>
#include <functional>
#include <memory>

namespace accrete::core {

/// A team of threads that lives as long as the object. Not shared between threads itself.
class Workers {
 public:
  /// threads = 0: all the machine has. One thread means the calling one, and no thread is started.
  explicit Workers(std::size_t threads = 0);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  std::size_t threads() const { return threads_; }

  /// Runs task(0) .. task(tasks - 1), each exactly once, and returns when all are done. The first exception thrown
  /// by a task is thrown again here.
  void run(std::size_t tasks, const std::function<void(std::size_t)>& task);

 private:
  struct Team;
  std::size_t threads_;
  std::unique_ptr<Team> team_;
};

/// The number of hardware threads, at least 1.
std::size_t hardware_threads();

}  // namespace accrete::core
