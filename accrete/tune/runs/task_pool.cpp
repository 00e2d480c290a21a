#include "accrete/tune/runs/task_pool.hpp"

namespace accrete::tune {

TaskPool::TaskPool(core::Workers& workers, RunTask run)
    : run_(std::move(run)),
      driver_([this, &workers] { workers.run(workers.threads(), [this](std::size_t) { work(); }); }) {}

TaskPool::~TaskPool() {
  {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
  driver_.join();
}

void TaskPool::add(std::size_t task) {
  {
    const std::scoped_lock lock(mutex_);
    waiting_.push_back(task);
  }
  changed_.notify_all();
}

std::optional<std::size_t> TaskPool::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return closed_ || failure_ || !waiting_.empty(); });
  if (closed_ || failure_) return std::nullopt;
  const std::size_t task = waiting_.front();
  waiting_.pop_front();
  ++running_;
  return task;
}

/// Keeps the exception of a task for the main thread, which reports it to the other ranks.
void TaskPool::work() {
  while (const auto task = next()) {
    std::optional<std::string> result;
    std::exception_ptr failure;
    try {
      result = run_(*task);
    } catch (...) {
      failure = std::current_exception();
    }
    {
      const std::scoped_lock lock(mutex_);
      --running_;
      if (result) done_.emplace_back(*task, std::move(*result));
      if (failure && !failure_) failure_ = failure;
    }
    changed_.notify_all();
  }
}

void TaskPool::wait(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience, [&] { return failure_ || (running_ == 0 && waiting_.empty()); });
}

std::vector<TaskPool::Result> TaskPool::take_done() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(done_, {});
}

void TaskPool::rethrow() {
  const std::scoped_lock lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace accrete::tune
