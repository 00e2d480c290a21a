#include "accrete/tune/runs/shared_tasks.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "accrete/comm/agree.hpp"
#include "accrete/comm/values.hpp"
#include "accrete/tune/runs/task_pool.hpp"

namespace accrete::tune {
namespace {

/// Time between exchanges: long compared to a message, short compared to a fit. A rank without tasks does not wait.
constexpr std::chrono::milliseconds exchange_every{50};

/// Assigns tasks to ranks, in order. All ranks have the same state.
class Schedule {
 public:
  Schedule(comm::Communicator& comm, std::size_t threads, std::size_t tasks)
      : rank_(comm.rank()), tasks_(tasks), pending_(comm.size(), 0), recent_(comm.size(), 0) {
    for (const auto of_rank : comm::gather_value<std::uint64_t>(comm, threads)) threads_.push_back(of_rank);
  }

  /// tasks: finished by the rank since the last exchange.
  void report_done(std::size_t rank, std::size_t tasks) {
    pending_[rank] -= tasks;
    recent_[rank] = tasks;
  }

  /// Assigns tasks until all ranks are at their limit, and adds those of this rank to the pool.
  void assign(TaskPool& pool) {
    for (; next_ < tasks_; ++next_) {
      const std::size_t rank = idlest();
      if (pending_[rank] >= limit(rank)) return;
      ++pending_[rank];
      if (rank == rank_) pool.add(next_);
    }
  }

 private:
  /// Limit of pending tasks of a rank: one per thread, plus more for a rank that finished many since the last exchange,
  /// so that it does not run out before the next. Near the end there are fewer extra tasks, so that all ranks finish
  /// together.
  std::size_t limit(std::size_t rank) const {
    return threads_[rank] + std::min(2 * recent_[rank], (tasks_ - next_) / (2 * pending_.size()));
  }

  std::size_t idlest() const {
    const auto free = [&](std::size_t r) {
      return static_cast<std::ptrdiff_t>(limit(r)) - static_cast<std::ptrdiff_t>(pending_[r]);
    };
    std::size_t best = 0;
    for (std::size_t r = 1; r < pending_.size(); ++r)
      if (free(r) > free(best)) best = r;
    return best;
  }

  std::size_t rank_, tasks_, next_ = 0;
  std::vector<std::size_t> threads_, pending_, recent_;  ///< one entry per rank
};

/// The results of all ranks since the last exchange.
std::vector<TaskPool::Result> exchange(const std::vector<TaskPool::Result>& own, comm::Communicator& comm,
                                       Schedule& schedule) {
  std::vector<std::uint64_t> numbers;
  std::vector<std::string> bytes;
  for (const auto& [task, result] : own) {
    numbers.push_back(task);
    bytes.push_back(result);
  }
  const auto all_numbers = comm::gather_values<std::uint64_t>(comm, numbers);
  auto all_bytes = comm::gather_texts(comm, bytes);
  std::vector<TaskPool::Result> all;
  for (std::size_t r = 0; r < comm.size(); ++r) {
    schedule.report_done(r, all_bytes[r].size());
    for (std::size_t i = 0; i < all_bytes[r].size(); ++i)
      all.emplace_back(all_numbers.of(r)[i], std::move(all_bytes[r][i]));
  }
  return all;
}

}  // namespace

bool share_tasks(const SharedTasks& tasks, comm::Communicator& comm, core::Workers& workers) {
  std::atomic<bool> ended = false;
  const std::function<bool()> stop = [&] { return ended || (tasks.stop && tasks.stop()); };
  Schedule schedule(comm, workers.threads(), tasks.count);
  TaskPool pool(workers, [&](std::size_t task) { return tasks.run(task, stop); });
  const struct End {  // set before the pool waits for its running tasks
    std::atomic<bool>& flag;
    ~End() { flag = true; }
  } at_end{ended};
  std::size_t done = 0;
  std::vector<TaskPool::Result> results;
  while (true) {
    comm::agree(comm, [&] {
      pool.rethrow();
      for (const auto& [task, bytes] : results) tasks.arrived(task, bytes);
    });
    done += results.size();
    if (done == tasks.count) return true;
    if (comm::is_any(comm, stop())) return false;
    schedule.assign(pool);
    pool.wait(exchange_every);
    results = exchange(pool.take_done(), comm, schedule);
  }
}

}  // namespace accrete::tune
