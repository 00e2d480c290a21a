#include "accrete/serve/connection_threads.hpp"

#include <algorithm>
#include <system_error>

namespace accrete::serve {
namespace {

constexpr std::size_t max_tasks = 1024;  // queued; each holds only a socket

}  // namespace

bool ConnectionThreads::run(std::function<void()> task) {
  const std::unique_lock lock(mutex_);
  if (threads_.size() >= max_threads_ && tasks_.size() >= idle_ + max_tasks) return false;
  tasks_.push_back(std::move(task));
  if (idle_ < tasks_.size() && threads_.size() < max_threads_) {
    try {
      threads_.emplace_back([this] { work(); });
      ++idle_;
    } catch (const std::system_error&) {  // cannot start more threads: a running one takes the task later
      if (threads_.empty()) {
        tasks_.pop_back();
        return false;
      }
    }
  }
  changed_.notify_one();
  report_waiting();
  return true;
}

void ConnectionThreads::report_waiting() {
  set_waiting_(tasks_.size() - std::min(tasks_.size(), idle_));
}

void ConnectionThreads::work() {
  std::unique_lock lock(mutex_);
  for (;;) {  // this thread counts as idle here
    changed_.wait(lock, [&] { return !tasks_.empty() || joining_; });
    --idle_;
    if (tasks_.empty()) return;
    const auto task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    lock.lock();
    ++idle_;
    report_waiting();
  }
}

void ConnectionThreads::join() {
  {
    const std::unique_lock lock(mutex_);
    joining_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace accrete::serve
