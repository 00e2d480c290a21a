#include "accrete/tune/runs/task_crew.hpp"

namespace accrete::tune {

TaskCrew::TaskCrew(core::Workers& workers, RunTask run)
    : run_(std::move(run)),
      driver_([this, &workers] { workers.run(workers.threads(), [this](std::size_t) { work(); }); }) {}

TaskCrew::~TaskCrew() {
  {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
  driver_.join();
}

void TaskCrew::add(std::size_t task) {
  {
    const std::scoped_lock lock(mutex_);
    waiting_.push_back(task);
  }
  changed_.notify_all();
}

std::optional<std::size_t> TaskCrew::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return closed_ || failure_ || !waiting_.empty(); });
  if (closed_ || failure_) return std::nullopt;
  const std::size_t task = waiting_.front();
  waiting_.pop_front();
  ++running_;
  return task;
}

/// A failure is for the main thread, which tells the other ranks.
void TaskCrew::work() {
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

void TaskCrew::wait(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience, [&] { return failure_ || (running_ == 0 && waiting_.empty()); });
}

std::vector<TaskCrew::Result> TaskCrew::take_done() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(done_, {});
}

void TaskCrew::rethrow() {
  const std::scoped_lock lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace accrete::tune
