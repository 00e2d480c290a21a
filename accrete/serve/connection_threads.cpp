#include "accrete/serve/connection_threads.hpp"

#include <system_error>

namespace accrete::serve {
namespace {

constexpr std::size_t max_tasks = 1024;  // that wait: each holds a socket and no more

}  // namespace

bool ConnectionThreads::run(std::function<void()> task) {
  std::unique_lock lock(mutex_);
  const bool is_full = idle_ <= tasks_.size() && threads_.size() >= max_threads_;
  if (is_full && tasks_.size() >= max_tasks) return false;
  tasks_.push_back(std::move(task));
  if (is_full) {
    lock.unlock();
    make_way_();
    return true;
  }
  if (idle_ < tasks_.size()) {
    try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {  // no more threads: those that run take the task later
      if (!threads_.empty()) return true;
      tasks_.pop_back();
      return false;
    }
  }
  changed_.notify_one();
  return true;
}

void ConnectionThreads::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    changed_.wait(lock, [&] { return !tasks_.empty() || joining_; });
    --idle_;
    if (tasks_.empty()) return;
    const auto task = std::move(tasks_.front());
    tasks_.pop_front();
    const bool others_wait = threads_.size() >= max_threads_ && tasks_.size() > idle_;
    lock.unlock();
    if (others_wait) make_way_();
    task();
    lock.lock();
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
