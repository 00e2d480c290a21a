#include "accrete/comm/threads.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "accrete/core/error.hpp"

namespace accrete::comm {
namespace {

/// A barrier with data: each rank publishes a view of its data, all wait, each copies what it needs, all wait again.
class ExchangeBarrier {
 public:
  explicit ExchangeBarrier(std::size_t ranks) : published_(ranks) {}

  std::size_t size() const { return published_.size(); }
  void publish(std::size_t rank, std::span<const std::byte> data) { published_[rank] = data; }
  std::span<const std::byte> published(std::size_t rank) const { return published_[rank]; }

  /// Throws if a rank has failed.
  void wait() {
    std::unique_lock lock(mutex_);
    if (++arrived_ == size()) {
      arrived_ = 0;
      ++generation_;
      changed_.notify_all();
    } else {
      changed_.wait(lock, [&, now = generation_] { return failure_ || generation_ != now; });
    }
    if (failure_) throw core::Error("another rank has failed");
  }

  void fail(const std::exception_ptr& failure) {
    const std::scoped_lock lock(mutex_);
    if (!failure_) failure_ = failure;
    changed_.notify_all();
  }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::vector<std::span<const std::byte>> published_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t arrived_ = 0, generation_ = 0;
  std::exception_ptr failure_;
};

class ThreadRank final : public Communicator {
 public:
  ThreadRank(ExchangeBarrier& meeting, std::size_t rank) : meeting_(meeting), rank_(rank) {}

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return meeting_.size(); }
  void abort() override { throw core::Error("a rank was aborted"); }
  bool fails_everywhere() override { return false; }

  void all_gather(std::span<const std::byte> own, std::span<const std::size_t>, std::span<std::byte> all) override {
    count(own.size());
    meeting_.publish(rank_, own);
    meeting_.wait();
    auto at = all.begin();
    for (std::size_t r = 0; r < size(); ++r) at = std::ranges::copy(meeting_.published(r), at).out;
    meeting_.wait();
  }

  void broadcast(std::span<std::byte> data, std::size_t root) override {
    if (rank_ == root) count(data.size());
    meeting_.publish(rank_, data);
    meeting_.wait();
    if (rank_ != root) std::ranges::copy(meeting_.published(root), data.begin());
    meeting_.wait();
  }

 private:
  ExchangeBarrier& meeting_;
  std::size_t rank_;
};

}  // namespace

void run_ranks(std::size_t ranks, const std::function<void(Communicator&)>& work) {
  ExchangeBarrier meeting(ranks);
  {
    std::vector<std::jthread> threads;
    for (std::size_t r = 0; r < ranks; ++r)
      threads.emplace_back([&, r] {
        try {
          ThreadRank rank(meeting, r);
          work(rank);
        } catch (...) {
          meeting.fail(std::current_exception());
        }
      });
  }
  meeting.rethrow();
}

}  // namespace accrete::comm
